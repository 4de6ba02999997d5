"""The routes by which runs are put together and started."""
