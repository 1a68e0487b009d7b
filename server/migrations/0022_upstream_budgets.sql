CREATE TABLE "upstream_budgets" (
	"endpoint" text NOT NULL,
	"upstream" text NOT NULL,
	"unit" text NOT NULL,
	"period_from" bigint NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "upstream_budgets_endpoint_upstream_unit_period_from_pk" PRIMARY KEY("endpoint","upstream","unit","period_from")
);
