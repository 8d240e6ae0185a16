/// The roles of the database, the schema, and what Supabase has of itself.
///
/// | role | purpose |
/// |---|---|
/// | `underway_owner` | owns schema and tables, and migrates |
/// | `underway_server` | logs in for the program; owns and inherits nothing, bypasses nothing |
/// | `authenticated` | a user, known by the token's claims |
/// | `anon` | nobody known |
/// | `underway_accounts` | sign-in, before a user is known |
/// | `underway_keeper` | upkeep over all users |
///
/// The scripts need a login that may create roles and schemas, unless an administrator ran them before:
/// they change nothing that is as it should be.
enum PostgresRoles {
    /// Makes the roles and their memberships.
    static let roles = """
        DO $$
        DECLARE
            role_name text;
        BEGIN
            FOREACH role_name IN ARRAY ARRAY[
                'underway_owner', 'underway_server', 'underway_accounts', 'underway_keeper',
                'authenticated', 'anon']
            LOOP
                IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role_name) THEN
                    BEGIN
                        EXECUTE format('create role %I nologin', role_name);
                    EXCEPTION WHEN duplicate_object OR unique_violation THEN
                        NULL; -- The migrator of another database was first.
                    END;
                END IF;
            END LOOP;
            IF NOT (SELECT rolcanlogin AND NOT rolinherit FROM pg_catalog.pg_roles
                WHERE rolname = 'underway_server') THEN
                ALTER ROLE underway_server LOGIN NOINHERIT;
            END IF;
            FOREACH role_name IN ARRAY ARRAY[
                'authenticated', 'anon', 'underway_accounts', 'underway_keeper']
            LOOP
                IF NOT pg_has_role('underway_server', role_name, 'member') THEN
                    EXECUTE format('grant %I to underway_server', role_name);
                END IF;
            END LOOP;
            IF NOT pg_has_role(current_user, 'underway_owner', 'member') THEN
                EXECUTE format('grant underway_owner to %I', current_user);
            END IF;
            IF NOT EXISTS (
                SELECT FROM pg_catalog.pg_db_role_setting
                WHERE setdatabase = 0 AND setrole = 'underway_server'::regrole) THEN
                ALTER ROLE underway_server SET statement_timeout = '5s';
                ALTER ROLE underway_server SET lock_timeout = '2s';
                ALTER ROLE underway_server SET idle_in_transaction_session_timeout = '10s';
                -- Plans without nested loops cost so much by estimate that they would be compiled.
                ALTER ROLE underway_server SET jit = 'off';
            END IF;
        END $$;
        """

    /// Takes the right to make temporary tables and large objects, which no policy and no limit of the program binds.
    ///
    /// Everybody has both in a new database. The first needs its owner, the second a superuser: others change nothing,
    /// and `underway db check` names what remains.
    static let objects = """
        DO $$
        DECLARE
            one regprocedure;
        BEGIN
            IF has_database_privilege('underway_server', current_database(), 'temporary')
                AND pg_has_role(current_user, (SELECT datdba FROM pg_catalog.pg_database
                    WHERE datname = current_database()), 'usage') THEN
                EXECUTE format('revoke temporary on database %I from public', current_database());
            END IF;
            IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
                FOR one IN
                    SELECT oid FROM pg_catalog.pg_proc
                    WHERE pronamespace = 'pg_catalog'::regnamespace
                        AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea')
                        AND has_function_privilege('underway_server', oid, 'execute')
                LOOP
                    EXECUTE format('revoke execute on function %s from public', one);
                END LOOP;
            END IF;
        END $$;
        """

    /// Makes the schema and the list of migrations.
    static let schema = """
        DO $$
        BEGIN
            IF to_regnamespace('underway') IS NULL THEN
                CREATE SCHEMA underway AUTHORIZATION underway_owner;
            END IF;
        END $$;

        SET LOCAL ROLE underway_owner;

        GRANT USAGE ON SCHEMA underway TO authenticated, anon, underway_accounts, underway_keeper;

        CREATE TABLE IF NOT EXISTS underway.migration (
            name text PRIMARY KEY,
            checksum text NOT NULL,
            is_breaking boolean NOT NULL DEFAULT FALSE,
            ran_at timestamptz NOT NULL DEFAULT now()
        );

        GRANT SELECT ON underway.migration
            TO authenticated, underway_accounts, underway_keeper;

        RESET ROLE;
        """

    /// Makes `auth.uid`, the subject of a token's claims, where it is missing; Supabase has it.
    static let tokenSubject = """
        DO $$
        BEGIN
            IF to_regprocedure('auth.uid()') IS NULL THEN
                CREATE SCHEMA IF NOT EXISTS auth AUTHORIZATION underway_owner;
                CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
                    'select nullif(nullif(current_setting(''request.jwt.claims'', true), '''')::jsonb
                        ->> ''sub'', '''')::uuid';
                ALTER FUNCTION auth.uid() OWNER TO underway_owner;
                GRANT USAGE ON SCHEMA auth TO authenticated, anon;
            END IF;
            IF NOT has_schema_privilege('underway_owner', 'auth', 'usage') THEN
                GRANT USAGE ON SCHEMA auth TO underway_owner;
            END IF;
        END $$;
        """
}
