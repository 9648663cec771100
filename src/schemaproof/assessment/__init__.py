"""Blind human assessment: people who do not know whose markup is whose say which describes a page better."""
