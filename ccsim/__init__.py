"""ccsim: communication-complexity lower bounds that run."""
