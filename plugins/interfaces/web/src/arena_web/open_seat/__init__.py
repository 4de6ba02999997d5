"""The agent ``open-seat``, which somebody outside plays."""
