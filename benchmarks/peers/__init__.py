"""Games played at random, by Arena and by others, each as its own users play them."""
