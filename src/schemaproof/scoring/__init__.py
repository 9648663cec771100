"""MeMR, classification and agreement statistics, intervals and signatures."""
