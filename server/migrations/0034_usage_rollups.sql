CREATE TABLE "usage_rollups" (
	"id" text PRIMARY KEY NOT NULL,
	"hours_before" timestamp (3) with time zone NOT NULL,
	"days_before" timestamp (3) with time zone NOT NULL,
	"closing" text,
	"closing_from" timestamp (3) with time zone,
	"after_account" text,
	"after_level" smallint,
	"after_key" text
);
--> statement-breakpoint
-- Rows of five minutes are the most that are written, and their primary key answers what these indexes did.
DROP INDEX usage_fives_account_id_method_bucket_idx, usage_fives_account_id_bucket_key_id_endpoint_requests_cred_idx,
  tool_usage_fives_account_id_method_bucket_idx, tool_usage_fives_account_id_bucket_key_id_endpoint_requests_idx;
--> statement-breakpoint
-- What is counted of everybody is kept from now on, as of an account without an id, so that nobody adds up all accounts.
INSERT INTO usage_fives (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM usage_fives WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO usage_hours (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM usage_hours WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO usage_days (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM usage_days WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO usage_minutes (account_id, bucket, key_id, endpoint, method, writer, requests, credits, credits_back, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies)
SELECT '', bucket, '', endpoint, '', writer, sum(requests), sum(credits), sum(credits_back), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies)
FROM usage_minutes GROUP BY bucket, endpoint, writer;
--> statement-breakpoint
-- Until now every minute was added to its hour and day at once. What was counted later is in rows of five minutes until its
-- hour is closed. Rows of the current day are made anew from its hours when it is closed.
INSERT INTO usage_rollups (id, hours_before, days_before)
SELECT 'usage', date_trunc('hour', max(bucket), 'UTC') + interval '1 hour', date_trunc('day', max(bucket), 'UTC')
FROM usage_hours WHERE level = 3 HAVING max(bucket) IS NOT NULL;
--> statement-breakpoint
INSERT INTO tool_usage_fives (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM tool_usage_fives WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO tool_usage_hours (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM tool_usage_hours WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO tool_usage_days (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
SELECT '', 3, '', bucket, endpoint, '', sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)
FROM tool_usage_days WHERE level = 3 GROUP BY bucket, endpoint;
--> statement-breakpoint
INSERT INTO tool_usage_minutes (account_id, bucket, key_id, endpoint, method, writer, requests, credits, credits_back, ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies)
SELECT '', bucket, '', endpoint, '', writer, sum(requests), sum(credits), sum(credits_back), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies)
FROM tool_usage_minutes GROUP BY bucket, endpoint, writer;
--> statement-breakpoint
INSERT INTO usage_rollups (id, hours_before, days_before)
SELECT 'tool_usage', date_trunc('hour', max(bucket), 'UTC') + interval '1 hour', date_trunc('day', max(bucket), 'UTC')
FROM tool_usage_hours WHERE level = 3 HAVING max(bucket) IS NOT NULL;
