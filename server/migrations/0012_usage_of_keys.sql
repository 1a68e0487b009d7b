-- Which keys are the busiest, and where a page of keys by the day ends, is found by looking at every key of an account:
-- here one number of each stands by itself, away from the rows of methods, which are nineteen of twenty, and from histograms.
CREATE INDEX usage_hours_of_keys ON usage_hours (account_id, bucket, key_id)
  INCLUDE (endpoint, requests, credits, errors, rate_limited, credit_limited) WHERE level = 1;
--> statement-breakpoint
CREATE INDEX usage_days_of_keys ON usage_days (account_id, bucket, key_id)
  INCLUDE (endpoint, requests, credits, errors, rate_limited, credit_limited) WHERE level = 1;
