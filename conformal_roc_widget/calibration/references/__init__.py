"""The references: estimates of the true probability ``pi``, from which residuals are measured."""
