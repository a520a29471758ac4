"""How each claim about the paper's models is measured: one module for each module of claims."""
