-- A server whose role may change rows only makes and drops partitions by these functions, with the rights of the tables' owner.
CREATE FUNCTION gatehouse_make_partition(parent regclass, name text, starts_at text, ends_at text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	space name;
	relation name;
BEGIN
	SELECT n.nspname, c.relname INTO space, relation FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
	WHERE c.oid = parent AND c.relkind = 'p' AND pg_has_role(current_user, c.relowner, 'USAGE');
	IF relation IS NULL OR name !~ ('^' || relation || '_[0-9]{6,8}$') THEN
		RAISE EXCEPTION '% is no partition of %', name, parent;
	END IF;
	EXECUTE format('CREATE TABLE IF NOT EXISTS %I.%I PARTITION OF %I.%I FOR VALUES FROM (%L) TO (%L)',
		space, name, space, relation, starts_at, ends_at);
END $$;--> statement-breakpoint
CREATE FUNCTION gatehouse_drop_partition(parent regclass, name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	space name;
	relation name;
BEGIN
	SELECT n.nspname, child.relname INTO space, relation FROM pg_inherits
	JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_namespace AS n ON n.oid = child.relnamespace
	WHERE inhparent = parent AND child.relname = name AND pg_has_role(current_user, child.relowner, 'USAGE');
	-- Another process may have dropped it.
	IF relation IS NULL THEN RETURN; END IF;
	EXECUTE format('DROP TABLE IF EXISTS %I.%I', space, relation);
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION gatehouse_make_partition(regclass, text, text, text), gatehouse_drop_partition(regclass, text) FROM PUBLIC;
