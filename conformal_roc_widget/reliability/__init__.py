"""What labels by score say of P(y = 1 | score), without residuals."""
