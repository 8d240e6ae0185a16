

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA auth;

ALTER SCHEMA auth OWNER TO underway_owner;

CREATE SCHEMA content;

ALTER SCHEMA content OWNER TO underway_owner;

CREATE SCHEMA underway;

ALTER SCHEMA underway OWNER TO underway_owner;

CREATE FUNCTION auth.uid() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb
                ->> 'sub', '')::uuid$$;

ALTER FUNCTION auth.uid() OWNER TO underway_owner;

CREATE FUNCTION underway.answer_names_1(p_versions integer[], p_options integer[], p_sessions integer[]) RETURNS TABLE(number integer, kind text, bank text, question text, domain text, text text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN QUERY
        SELECT v.number, v.kind, q.bank, q.text, v.domain, v.text
            FROM unnest(p_versions) u (number)
                CROSS JOIN LATERAL (SELECT * FROM own_name v
                    WHERE v.account = v_account AND v.number = u.number LIMIT 1) v
                CROSS JOIN LATERAL (SELECT * FROM own_name q
                    WHERE q.account = v_account AND q.number = v.question LIMIT 1) q
        UNION ALL
        SELECT o.number, o.kind, NULL, NULL, NULL, o.text
            FROM unnest(p_options) u (number)
                CROSS JOIN LATERAL (SELECT * FROM own_name o
                    WHERE o.account = v_account AND o.number = u.number LIMIT 1) o
        UNION ALL
        SELECT s.number, 'session', NULL, NULL, s.name, s.mode
            FROM unnest(p_sessions) u (number)
                CROSS JOIN LATERAL (SELECT * FROM session s
                    WHERE s.account = v_account AND s.number = u.number LIMIT 1) s;
END $$;

ALTER FUNCTION underway.answer_names_1(p_versions integer[], p_options integer[], p_sessions integer[]) OWNER TO underway_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE underway.answer (
    account bigint NOT NULL,
    at bigint,
    device integer NOT NULL,
    counter integer NOT NULL,
    question integer,
    session integer,
    options integer,
    taken integer,
    exposures integer,
    flags smallint,
    credit double precision,
    response text,
    CONSTRAINT answer_at_check CHECK ((at >= 0)),
    CONSTRAINT answer_check CHECK ((((question IS NULL) = (at IS NULL)) AND ((question IS NULL) = (session IS NULL)) AND ((question IS NULL) = (taken IS NULL)) AND ((question IS NULL) = (exposures IS NULL)) AND ((question IS NULL) = (flags IS NULL)) AND ((question IS NULL) = ((options IS NULL) AND (response IS NULL))) AND ((options IS NULL) OR (response IS NULL)) AND ((question IS NOT NULL) OR (credit IS NULL)))),
    CONSTRAINT answer_counter_check CHECK ((counter > 0)),
    CONSTRAINT answer_exposures_check CHECK ((exposures >= 0)),
    CONSTRAINT answer_taken_check CHECK (((taken >= 0) AND (taken <= 86400000)))
);

ALTER TABLE ONLY underway.answer FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.answer OWNER TO underway_owner;

CREATE TABLE underway.own_name (
    account bigint NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    digest uuid NOT NULL,
    question integer,
    bank text COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT own_name_check CHECK ((((kind = 'question'::text) = (bank IS NOT NULL)) AND ((kind = 'version'::text) = (question IS NOT NULL)) AND ((kind = 'version'::text) OR (domain IS NULL)))),
    CONSTRAINT own_name_kind_check CHECK ((kind = ANY (ARRAY['question'::text, 'version'::text, 'options'::text]))),
    CONSTRAINT own_name_number_check CHECK ((number < 0))
);

ALTER TABLE ONLY underway.own_name FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.own_name OWNER TO underway_owner;

CREATE FUNCTION underway.counted_answers_1(p_account bigint) RETURNS TABLE(day integer, bank text, domain text, question integer, correct integer, taken integer, at bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT (LEAST((a.at / 86400000), (2932896)::bigint))::integer AS "least",
     q.bank,
     COALESCE(v.domain, ''::text) AS "coalesce",
     q.number,
     ((a.flags)::integer & 1),
     a.taken,
     a.at
    FROM ((underway.answer a
      JOIN underway.own_name v ON (((v.account = a.account) AND (v.number = a.question))))
      JOIN underway.own_name q ON (((q.account = v.account) AND (q.number = v.question))))
   WHERE (a.account = counted_answers_1.p_account);
END;

ALTER FUNCTION underway.counted_answers_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.time_step(milliseconds integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (milliseconds < 10000) THEN (milliseconds / 250) WHEN (milliseconds < 60000) THEN (40 + ((milliseconds - 10000) / 2000)) WHEN (milliseconds < 600000) THEN (65 + ((milliseconds - 60000) / 30000)) ELSE 83 END;

ALTER FUNCTION underway.time_step(milliseconds integer) OWNER TO underway_owner;

CREATE FUNCTION underway.answer_sums_1(p_account bigint) RETURNS TABLE(day integer, bank text, domain text, answers integer, correct integer, taken bigint, last_at bigint, histogram integer[])
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH counted AS (
          SELECT c.day,
             c.bank,
             c.domain,
             c.question,
             c.correct,
             c.taken,
             c.at,
             underway.time_step(c.taken) AS step
            FROM underway.counted_answers_1(answer_sums_1.p_account) c(day, bank, domain, question, correct, taken, at)
         ), steps AS (
          SELECT c.day,
             c.bank,
             c.domain,
             c.step,
             count(*) AS answers
            FROM counted c
           GROUP BY c.day, c.bank, c.domain, c.step
         ), filled AS (
          SELECT s_1.day,
             s_1.bank,
             s_1.domain,
             s_1.step,
             s_1.answers
            FROM steps s_1
         UNION ALL
          SELECT t.day,
             t.bank,
             t.domain,
             g.step,
             0
            FROM (( SELECT s_1.day,
                     s_1.bank,
                     s_1.domain,
                     max(s_1.step) AS step
                    FROM steps s_1
                   GROUP BY s_1.day, s_1.bank, s_1.domain) t
              CROSS JOIN LATERAL generate_series(0, t.step) g(step))
         ), whole AS (
          SELECT f.day,
             f.bank,
             f.domain,
             f.step,
             (sum(f.answers))::integer AS answers
            FROM filled f
           GROUP BY f.day, f.bank, f.domain, f.step
         ), histograms AS (
          SELECT w.day,
             w.bank,
             w.domain,
             array_agg(w.answers ORDER BY w.step) AS histogram
            FROM whole w
           GROUP BY w.day, w.bank, w.domain
         ), sums AS (
          SELECT c.day,
             c.bank,
             c.domain,
             (count(*))::integer AS answers,
             (sum(c.correct))::integer AS correct,
             sum(c.taken) AS taken,
             max(c.at) AS last_at
            FROM counted c
           GROUP BY c.day, c.bank, c.domain
         )
  SELECT s.day,
     s.bank,
     s.domain,
     s.answers,
     s.correct,
     s.taken,
     s.last_at,
     h.histogram
    FROM (sums s
      JOIN histograms h ON (((h.day = s.day) AND (h.bank = s.bank) AND (h.domain = s.domain))));
END;

ALTER FUNCTION underway.answer_sums_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.answers_1(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) RETURNS TABLE(place integer, counter integer, question integer, session integer, options integer, at bigint, taken integer, exposures integer, flags smallint, credit double precision, response text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT r.place, r.counter, r.question, r.session, r.options, r.at, r.taken, r.exposures,
            r.flags, r.credit, r.response
        FROM (
            SELECT u.place::integer AS place, a.*,
                sum(CASE WHEN a.question IS NULL THEN 1
                    ELSE 64 + coalesce(octet_length(a.response), 0) END)
                    OVER (ORDER BY u.place, a.counter
                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
                row_number() OVER (ORDER BY u.place, a.counter) AS count
            FROM unnest(p_devices, p_firsts, p_lasts) WITH ORDINALITY
                u (device, first, last, place)
                JOIN device d ON d.account = claim() AND d.name = u.device
                JOIN answer a ON a.account = d.account AND a.device = d.number
                    AND a.counter BETWEEN u.first AND u.last) r
        WHERE r.bytes_before <= p_bytes OR r.count <= 2
        ORDER BY r.place, r.counter;
END $$;

ALTER FUNCTION underway.answers_1(p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.token_user() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN COALESCE(((((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'exp'::text))::numeric > EXTRACT(epoch FROM now())), true) THEN auth.uid() ELSE NULL::uuid END;

ALTER FUNCTION underway.token_user() OWNER TO underway_owner;

CREATE FUNCTION underway.claim() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (split_part(current_setting('underway.account'::text, true), ' '::text, 2) = (underway.token_user())::text) THEN (split_part(current_setting('underway.account'::text, true), ' '::text, 1))::bigint ELSE NULL::bigint END;

ALTER FUNCTION underway.claim() OWNER TO underway_owner;

CREATE FUNCTION underway.count_answers(p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[], p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    WITH of_day AS (
        SELECT p_names[u.question] AS question, p_days[u.place] AS day, u.place
        FROM unnest(p_day_questions, p_day_places) u (question, place)
    ), new_of_day AS (
        INSERT INTO question_day (account, day, question)
            SELECT claim(), day, question FROM of_day
            ON CONFLICT DO NOTHING RETURNING day, question
    ), of_domain AS (
        SELECT p_names[u.question] AS question, p_domains[u.place] AS domain, u.place
        FROM unnest(p_domain_questions, p_domain_places) u (question, place)
    ), new_of_domain AS (
        INSERT INTO question_domain (account, question, domain)
            SELECT claim(), question, domain FROM of_domain
            ON CONFLICT DO NOTHING RETURNING question, domain
    ), days AS (
        SELECT place, count(*) AS questions FROM of_day JOIN new_of_day USING (day, question)
        GROUP BY place
    ), domains AS (
        SELECT place, count(*) AS questions
        FROM of_domain JOIN new_of_domain USING (question, domain) GROUP BY place
    )
    INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
            questions_of_domain, taken, last_at, histogram)
        SELECT claim(), u.day, u.bank, u.domain, u.answers, u.correct,
            coalesce(days.questions, 0), coalesce(domains.questions, 0), u.taken, u.last_at,
            u.histogram::integer[]
        FROM unnest(p_days, p_banks, p_domains, p_answers, p_correct, p_taken, p_lasts,
            p_histograms) WITH ORDINALITY
            u (day, bank, domain, answers, correct, taken, last_at, histogram, place)
            LEFT JOIN days USING (place) LEFT JOIN domains USING (place)
        ON CONFLICT (account, day, bank, domain) DO UPDATE SET
            answers = answer_day.answers + excluded.answers,
            correct = answer_day.correct + excluded.correct,
            questions_of_day = answer_day.questions_of_day + excluded.questions_of_day,
            questions_of_domain = answer_day.questions_of_domain + excluded.questions_of_domain,
            taken = answer_day.taken + excluded.taken,
            last_at = greatest(answer_day.last_at, excluded.last_at),
            histogram = ARRAY(
                SELECT coalesce(h.one, 0) + coalesce(h.other, 0)
                FROM unnest(answer_day.histogram, excluded.histogram)
                    WITH ORDINALITY h (one, other, place) ORDER BY h.place);
END $$;

ALTER FUNCTION underway.count_answers(p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[], p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.enter_1(p_lock boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_user uuid := token_user();
    v_account bigint;
BEGIN
    IF p_lock THEN
        SELECT number INTO v_account FROM account WHERE user_id = v_user
            FOR NO KEY UPDATE;
    ELSE
        SELECT number INTO v_account FROM account WHERE user_id = v_user;
    END IF;
    IF v_account IS NULL THEN
        RAISE EXCEPTION USING errcode = 'UL001', message = 'no such account';
    END IF;
    PERFORM set_config('underway.account', v_account || ' ' || v_user, TRUE);
    RETURN v_account;
END $$;

ALTER FUNCTION underway.enter_1(p_lock boolean) OWNER TO underway_owner;

CREATE FUNCTION underway.erase_1(p_limit bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'underway', 'pg_temp'
    AS $_$
DECLARE
    v_account bigint;
    v_table regclass;
    v_left bigint := p_limit;
    v_count bigint;
BEGIN
    SELECT number INTO v_account FROM account WHERE deleted_at IS NOT NULL
        LIMIT 1 FOR UPDATE SKIP LOCKED;
    -- None, or another process is at it.
    IF v_account IS NULL THEN
        RETURN TRUE;
    END IF;
    PERFORM set_config('underway.erased', v_account::text, TRUE);
    -- Rows that refer to others of the account come before these: they were created later.
    FOR v_table IN
        SELECT c.oid FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
        WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r'
        ORDER BY c.oid DESC
    LOOP
        EXECUTE format('delete from %s where ctid = any (array(
            select ctid from %s where account = $1 limit $2))', v_table, v_table)
            USING v_account, v_left;
        GET DIAGNOSTICS v_count = ROW_COUNT;
        v_left := v_left - v_count;
        EXIT WHEN v_left <= 0;
    END LOOP;
    IF v_left > 0 THEN
        DELETE FROM account WHERE number = v_account;
    END IF;
    PERFORM set_config('underway.erased', '', TRUE);
    RETURN FALSE;
END $_$;

ALTER FUNCTION underway.erase_1(p_limit bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.erase_answers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'underway', 'pg_temp'
    AS $$
BEGIN
    PERFORM set_config('underway.erased', old.number::text, TRUE);
    DELETE FROM answer WHERE account = old.number;
    DELETE FROM question_day WHERE account = old.number;
    DELETE FROM question_domain WHERE account = old.number;
    PERFORM set_config('underway.erased', '', TRUE);
    RETURN NULL;
END $$;

ALTER FUNCTION underway.erase_answers() OWNER TO underway_owner;

CREATE FUNCTION underway.erased() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('underway.erased'::text, true), ''::text))::bigint;

ALTER FUNCTION underway.erased() OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_append_1(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_device integer;
    v_last integer;
    v_names integer[];
    v_sessions integer[];
BEGIN
    SELECT d.number, d.last_answer INTO v_device, v_last
        FROM device d WHERE d.account = v_account AND d.name = p_device;
    IF p_first <> coalesce(v_last, 0) + 1 THEN
        RAISE EXCEPTION USING errcode = 'UL002', message = 'answers do not follow';
    END IF;
    IF v_device IS NULL THEN
        INSERT INTO device (account, number, name, last_answer)
            SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, 0
            FROM device d WHERE d.account = v_account
            RETURNING number INTO v_device;
    END IF;
    UPDATE device SET last_answer = p_first + cardinality(p_questions) - 1
        WHERE account = v_account AND number = v_device;
    v_names := own_names(p_name_kinds, p_name_digests, p_name_texts, p_name_banks,
        p_name_domains, p_name_questions);
    v_sessions := own_sessions(p_session_names, p_session_modes);
    INSERT INTO answer (account, device, counter, question, session, options, at, taken,
            exposures, flags, credit, response)
        SELECT v_account, v_device, p_first + u.place - 1, v_names[u.question],
            v_sessions[u.session], v_names[u.options], u.at, u.taken, u.exposures, u.flags,
            u.credit, u.response
        FROM unnest(p_questions, p_sessions, p_options, p_ats, p_taken, p_exposures, p_flags,
            p_credits, p_responses) WITH ORDINALITY
            u (question, session, options, at, taken, exposures, flags, credit, response,
                place);
    PERFORM count_answers(v_names, p_place_days, p_place_banks, p_place_domains, p_place_answers,
        p_place_correct, p_place_taken, p_place_lasts, p_place_histograms, p_day_questions,
        p_day_places, p_domain_questions, p_domain_places);
END $$;

ALTER FUNCTION underway.ledger_append_1(p_device text, p_first bigint, p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[], p_name_domains text[], p_name_questions integer[], p_session_names text[], p_session_modes text[], p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[], p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[], p_responses text[], p_place_days integer[], p_place_banks text[], p_place_domains text[], p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[], p_place_lasts bigint[], p_place_histograms text[], p_day_questions integer[], p_day_places integer[], p_domain_questions integer[], p_domain_places integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_devices_1() RETURNS TABLE(number integer, name text, last_answer integer, last_seen_at bigint, is_retired boolean, processed_before bigint, request_number bigint, request_hash bytea, head_position bigint, head_epoch text, unread_results bigint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT d.number, d.name, d.last_answer, d.last_seen_at, d.is_retired, d.processed_before,
            d.request_number, d.request_hash, d.head_position, d.head_epoch,
            (SELECT count(*) FROM result r WHERE r.account = d.account AND r.device = d.number
                AND r.counter >= d.processed_before)
        FROM device d WHERE d.account = claim() ORDER BY d.number;
END $$;

ALTER FUNCTION underway.ledger_devices_1() OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_open_1(p_lock boolean, p_device text, p_processed_before bigint, p_head bigint) RETURNS TABLE("position" bigint, purged_through bigint, digest text, epoch text, record_bytes bigint, answer_bytes bigint, answer_count bigint, collections text, generation text, end_mark text, named_mark text, oldest_mark bigint, mark_count bigint, unread_results bigint)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := enter_1(p_lock);
BEGIN
    SELECT a.position, a.purged_through, a.digest, a.epoch, a.record_bytes, a.answer_bytes,
            a.answer_count, a.collections::text
        INTO position, purged_through, digest, epoch, record_bytes, answer_bytes, answer_count,
            collections
        FROM account a WHERE a.number = v_account;
    SELECT s.value INTO generation FROM setting s WHERE s.name = 'generation';
    SELECT m.text INTO end_mark FROM mark m
        WHERE m.account = v_account AND m.position = ledger_open_1.position;
    IF p_head IS NOT NULL THEN
        SELECT m.text INTO named_mark FROM mark m
            WHERE m.account = v_account AND m.position = p_head;
        IF named_mark IS NULL THEN
            SELECT coalesce(min(m.position), 0), count(*) INTO oldest_mark, mark_count
                FROM mark m WHERE m.account = v_account;
        END IF;
    END IF;
    SELECT count(r.counter) INTO unread_results
        FROM device d JOIN result r ON r.account = d.account AND r.device = d.number
            AND r.counter >= greatest(p_processed_before, d.processed_before)
        WHERE d.account = v_account AND d.name = p_device;
    RETURN NEXT;
END $$;

ALTER FUNCTION underway.ledger_open_1(p_lock boolean, p_device text, p_processed_before bigint, p_head bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_page_1(p_after bigint, p_records integer, p_bytes bigint) RETURNS TABLE("position" bigint, batch bigint, deleted_at bigint, json text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_records bigint := 0;
    v_bytes bigint := 0;
    v_batch bigint;
BEGIN
    FOR position, batch, deleted_at, json IN
        SELECT r.position, r.batch, r.deleted_at, r.json::text FROM record r
        WHERE r.account = claim() AND r.position > p_after ORDER BY r.position
    LOOP
        RETURN NEXT;
        v_records := v_records + 1;
        v_bytes := v_bytes + octet_length(json);
        -- One record behind the page says that the log goes on.
        EXIT WHEN v_batch <> batch AND (v_records > p_records OR v_bytes > p_bytes);
        v_batch := batch;
    END LOOP;
END $$;

ALTER FUNCTION underway.ledger_page_1(p_after bigint, p_records integer, p_bytes bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_records_1(p_collections text[], p_ids text[]) RETURNS TABLE(collection text, id text, "position" bigint, batch bigint, deleted_at bigint, json text)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN QUERY
        SELECT r.collection, r.id, r.position, r.batch, r.deleted_at, r.json::text
        FROM unnest(p_collections, p_ids) k (collection, id) CROSS JOIN LATERAL (
            SELECT * FROM record r WHERE r.account = v_account
                AND r.collection = k.collection AND r.id = k.id LIMIT 1) r;
END $$;

ALTER FUNCTION underway.ledger_records_1(p_collections text[], p_ids text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_refused_1(p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[]) RETURNS SETOF integer
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    FOR v_place IN 1 .. cardinality(p_record_ids) LOOP
        BEGIN
            PERFORM ledger_write_1(
                p_record_collections => p_record_collections[v_place:v_place],
                p_record_ids => p_record_ids[v_place:v_place],
                p_record_positions => p_record_positions[v_place:v_place],
                p_record_batches => p_record_batches[v_place:v_place],
                p_record_deletions => p_record_deletions[v_place:v_place],
                p_record_jsons => p_record_jsons[v_place:v_place]);
        EXCEPTION WHEN check_violation OR not_null_violation OR data_exception THEN
            RETURN NEXT v_place;
        END;
    END LOOP;
END $$;

ALTER FUNCTION underway.ledger_refused_1(p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_results_1(p_device text, p_counters bigint[]) RETURNS TABLE(counter bigint, kind text, revision bigint, refusal text, hash bytea)
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT r.counter, r.kind, r.revision, r.refusal, r.hash
        FROM device d JOIN result r ON r.account = d.account AND r.device = d.number
        WHERE d.account = claim() AND d.name = p_device AND r.counter = ANY (p_counters);
END $$;

ALTER FUNCTION underway.ledger_results_1(p_device text, p_counters bigint[]) OWNER TO underway_owner;

CREATE FUNCTION underway.ledger_write_1(p_position bigint DEFAULT NULL::bigint, p_digest text DEFAULT NULL::text, p_epoch text DEFAULT NULL::text, p_record_bytes bigint DEFAULT NULL::bigint, p_answer_bytes bigint DEFAULT NULL::bigint, p_answer_count bigint DEFAULT NULL::bigint, p_retired text[] DEFAULT NULL::text[], p_forgotten text[] DEFAULT NULL::text[], p_device text DEFAULT NULL::text, p_last_seen_at bigint DEFAULT NULL::bigint, p_processed_before bigint DEFAULT NULL::bigint, p_request_number bigint DEFAULT NULL::bigint, p_request_hash bytea DEFAULT NULL::bytea, p_head_position bigint DEFAULT NULL::bigint, p_head_epoch text DEFAULT NULL::text, p_result_counters bigint[] DEFAULT NULL::bigint[], p_result_kinds text[] DEFAULT NULL::text[], p_result_revisions bigint[] DEFAULT NULL::bigint[], p_result_refusals text[] DEFAULT NULL::text[], p_result_hashes text[] DEFAULT NULL::text[], p_results_before bigint DEFAULT NULL::bigint, p_record_collections text[] DEFAULT NULL::text[], p_record_ids text[] DEFAULT NULL::text[], p_record_positions bigint[] DEFAULT NULL::bigint[], p_record_batches bigint[] DEFAULT NULL::bigint[], p_record_deletions bigint[] DEFAULT NULL::bigint[], p_record_jsons text[] DEFAULT NULL::text[], p_mark_position bigint DEFAULT NULL::bigint, p_mark_text text DEFAULT NULL::text, p_marks_max integer DEFAULT NULL::integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_device integer;
    v_collections jsonb;
BEGIN
    IF p_retired IS NOT NULL THEN
        UPDATE device SET is_retired = TRUE WHERE account = v_account AND name = ANY (p_retired);
        DELETE FROM result r USING device d
            WHERE d.account = v_account AND d.name = ANY (p_retired) AND r.account = v_account
                AND r.device = d.number AND r.kind IN ('conflict', 'refused');
    END IF;
    IF p_forgotten IS NOT NULL THEN
        DELETE FROM result r USING device d
            WHERE d.account = v_account AND d.name = ANY (p_forgotten) AND r.account = v_account
                AND r.device = d.number;
    END IF;
    IF p_retired IS NOT NULL OR p_forgotten IS NOT NULL THEN
        DELETE FROM device d
            WHERE d.account = v_account AND d.name = ANY (p_retired || p_forgotten)
                AND d.last_answer = 0 AND NOT EXISTS (
                    SELECT FROM result r WHERE r.account = v_account AND r.device = d.number);
    END IF;
    IF p_device IS NOT NULL THEN
        UPDATE device SET last_seen_at = p_last_seen_at, processed_before = p_processed_before,
                request_number = p_request_number, request_hash = p_request_hash,
                head_position = p_head_position, head_epoch = p_head_epoch
            WHERE account = v_account AND name = p_device RETURNING number INTO v_device;
        IF v_device IS NULL THEN
            INSERT INTO device (account, number, name, last_seen_at, processed_before,
                    request_number, request_hash, head_position, head_epoch)
                SELECT v_account, coalesce(max(d.number), 0) + 1, p_device, p_last_seen_at,
                    p_processed_before, p_request_number, p_request_hash, p_head_position,
                    p_head_epoch
                FROM device d WHERE d.account = v_account
                RETURNING number INTO v_device;
        END IF;
        IF p_result_counters IS NOT NULL THEN
            INSERT INTO result (account, device, counter, kind, revision, refusal, hash)
                SELECT v_account, v_device, u.counter, u.kind, u.revision, u.refusal,
                    decode(u.hash, 'hex')
                FROM unnest(p_result_counters, p_result_kinds, p_result_revisions,
                    p_result_refusals, p_result_hashes)
                    u (counter, kind, revision, refusal, hash);
        END IF;
        IF p_results_before > 0 THEN
            DELETE FROM result WHERE account = v_account AND device = v_device
                AND counter < p_results_before;
        END IF;
    END IF;
    IF p_record_ids IS NOT NULL THEN
        v_collections := new_collections(p_record_collections, p_record_ids);
        INSERT INTO record (account, collection, id, position, batch, deleted_at, json)
            SELECT v_account, u.collection, u.id, u.position, u.batch, u.deletion,
                u.json::json
            FROM unnest(p_record_collections, p_record_ids, p_record_positions,
                p_record_batches, p_record_deletions, p_record_jsons)
                u (collection, id, position, batch, deletion, json)
            ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                batch = excluded.batch, deleted_at = excluded.deleted_at, json = excluded.json;
    END IF;
    IF p_mark_position IS NOT NULL THEN
        INSERT INTO mark (account, position, text)
            VALUES (v_account, p_mark_position, p_mark_text);
        DELETE FROM mark WHERE account = v_account AND position <= (
            SELECT m.position FROM mark m WHERE m.account = v_account
            ORDER BY m.position DESC OFFSET p_marks_max LIMIT 1);
    END IF;
    IF p_position IS NOT NULL OR v_collections IS NOT NULL THEN
        UPDATE account SET position = coalesce(p_position, position),
            digest = coalesce(p_digest, digest), epoch = coalesce(p_epoch, epoch),
            record_bytes = coalesce(p_record_bytes, record_bytes),
            answer_bytes = coalesce(p_answer_bytes, answer_bytes),
            answer_count = coalesce(p_answer_count, answer_count),
            collections = coalesce(v_collections, collections)
        WHERE number = v_account;
    END IF;
END $$;

ALTER FUNCTION underway.ledger_write_1(p_position bigint, p_digest text, p_epoch text, p_record_bytes bigint, p_answer_bytes bigint, p_answer_count bigint, p_retired text[], p_forgotten text[], p_device text, p_last_seen_at bigint, p_processed_before bigint, p_request_number bigint, p_request_hash bytea, p_head_position bigint, p_head_epoch text, p_result_counters bigint[], p_result_kinds text[], p_result_revisions bigint[], p_result_refusals text[], p_result_hashes text[], p_results_before bigint, p_record_collections text[], p_record_ids text[], p_record_positions bigint[], p_record_batches bigint[], p_record_deletions bigint[], p_record_jsons text[], p_mark_position bigint, p_mark_text text, p_marks_max integer) OWNER TO underway_owner;

CREATE FUNCTION underway.new_collections(p_collections text[], p_ids text[]) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
BEGIN
    RETURN (
        WITH added AS (
            SELECT u.collection, count(*) AS records
            FROM unnest(p_collections, p_ids) u (collection, id)
            WHERE (SELECT r.position FROM record r WHERE r.account = v_account
                AND r.collection = u.collection AND r.id = u.id) IS NULL
            GROUP BY u.collection)
        SELECT a.collections || jsonb_object_agg(
            n.collection, coalesce((a.collections ->> n.collection)::bigint, 0) + n.records)
        FROM account a, added n WHERE a.number = v_account GROUP BY a.collections);
END $$;

ALTER FUNCTION underway.new_collections(p_collections text[], p_ids text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.opened() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('underway.opened'::text, true), ''::text))::bigint;

ALTER FUNCTION underway.opened() OWNER TO underway_owner;

CREATE FUNCTION underway.own_names(p_kinds text[], p_digests uuid[], p_texts text[], p_banks text[], p_domains text[], p_questions integer[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
    v_numbers integer[];
BEGIN
    FOR step IN 1 .. 3 LOOP
        v_numbers := ARRAY(
            SELECT coalesce((SELECT n.number FROM own_name n
                WHERE n.account = v_account AND n.digest = u.digest), 0)
            FROM unnest(p_digests) WITH ORDINALITY u (digest, place) ORDER BY u.place);
        EXIT WHEN step = 3 OR 0 <> ALL (v_numbers);
        INSERT INTO own_name (account, number, kind, digest, question, bank, domain, text)
            SELECT v_account,
                (SELECT coalesce(min(n.number), 0) FROM own_name n WHERE n.account = v_account)
                    - row_number() OVER (ORDER BY u.place),
                u.kind, u.digest, v_numbers[u.question], u.bank, u.domain, u.text
            FROM unnest(p_kinds, p_digests, p_texts, p_banks, p_domains, p_questions, v_numbers)
                WITH ORDINALITY u (kind, digest, text, bank, domain, question, number, place)
            WHERE u.number = 0 AND (step = 2 OR u.kind <> 'version');
    END LOOP;
    RETURN v_numbers;
END $$;

ALTER FUNCTION underway.own_names(p_kinds text[], p_digests uuid[], p_texts text[], p_banks text[], p_domains text[], p_questions integer[]) OWNER TO underway_owner;

CREATE FUNCTION underway.own_sessions(p_names text[], p_modes text[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    v_account bigint := claim();
BEGIN
    INSERT INTO session (account, number, name, mode)
        SELECT v_account,
            (SELECT coalesce(max(s.number), 0) FROM session s WHERE s.account = v_account)
                + row_number() OVER (ORDER BY u.place),
            u.name, u.mode
        FROM unnest(p_names, p_modes) WITH ORDINALITY u (name, mode, place)
        WHERE (SELECT s.number FROM session s WHERE s.account = v_account
            AND s.name = u.name AND s.mode = u.mode) IS NULL;
    RETURN ARRAY(
        SELECT (SELECT s.number FROM session s WHERE s.account = v_account
            AND s.name = u.name AND s.mode = u.mode)
        FROM unnest(p_names, p_modes) WITH ORDINALITY u (name, mode, place)
        ORDER BY u.place);
END $$;

ALTER FUNCTION underway.own_sessions(p_names text[], p_modes text[]) OWNER TO underway_owner;

CREATE FUNCTION underway.purge_1(p_account bigint, p_collections text[], p_ids text[], p_before bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
    WITH gone AS (
        DELETE FROM record r USING unnest(p_collections, p_ids) u (collection, id)
            WHERE r.account = p_account AND r.collection = u.collection AND r.id = u.id
                AND r.deleted_at < p_before
            RETURNING r.collection, r.position, octet_length(r.json::text) AS bytes
    ), counts AS (
        SELECT collection, count(*) AS records, max(position) AS position, sum(bytes) AS bytes
        FROM gone GROUP BY collection
    ), sums AS (
        SELECT max(c.position) AS position, sum(c.bytes)::bigint AS bytes,
            jsonb_object_agg(c.collection,
                (a.collections ->> c.collection)::bigint - c.records) AS collections
        FROM counts c, account a WHERE a.number = p_account
    )
    UPDATE account a SET purged_through = greatest(a.purged_through, s.position),
        record_bytes = a.record_bytes - s.bytes, collections = a.collections || s.collections
        FROM sums s WHERE a.number = p_account AND s.position IS NOT NULL;
END $$;

ALTER FUNCTION underway.purge_1(p_account bigint, p_collections text[], p_ids text[], p_before bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.recount_1(p_account bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'underway', 'pg_temp'
    SET enable_nestloop TO 'off'
    AS $$
BEGIN
    PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
    DELETE FROM answer_day WHERE account = p_account;
    DELETE FROM question_day WHERE account = p_account;
    DELETE FROM question_domain WHERE account = p_account;
    INSERT INTO question_day (account, day, question)
        SELECT DISTINCT p_account, c.day, c.question FROM counted_answers_1(p_account) c;
    INSERT INTO question_domain (account, question, domain)
        SELECT DISTINCT p_account, c.question, c.domain FROM counted_answers_1(p_account) c;
    INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
            questions_of_domain, taken, last_at, histogram)
        SELECT p_account, s.day, s.bank, s.domain, s.answers, s.correct,
            coalesce(d.questions, 0), coalesce(o.questions, 0), s.taken, s.last_at, s.histogram
        FROM answer_sums_1(p_account) s
            LEFT JOIN (
                SELECT f.day, f.bank, f.domain, count(*) AS questions
                FROM (SELECT DISTINCT ON (c.day, c.question) c.day, c.bank, c.domain
                    FROM counted_answers_1(p_account) c
                    ORDER BY c.day, c.question, c.at, c.domain) f
                GROUP BY f.day, f.bank, f.domain) d
                ON d.day = s.day AND d.bank = s.bank AND d.domain = s.domain
            LEFT JOIN (
                SELECT f.day, f.bank, f.domain, count(*) AS questions
                FROM (SELECT DISTINCT ON (c.question, c.domain) c.day, c.bank, c.domain
                    FROM counted_answers_1(p_account) c
                    ORDER BY c.question, c.domain, c.at, c.day) f
                GROUP BY f.day, f.bank, f.domain) o
                ON o.day = s.day AND o.bank = s.bank AND o.domain = s.domain;
END $$;

ALTER FUNCTION underway.recount_1(p_account bigint) OWNER TO underway_owner;

CREATE FUNCTION underway.step_start(step bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN (step < 40) THEN (step * 250) WHEN (step < 65) THEN (10000 + ((step - 40) * 2000)) ELSE (60000 + ((step - 65) * 30000)) END;

ALTER FUNCTION underway.step_start(step bigint) OWNER TO underway_owner;

CREATE TABLE underway.account (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id uuid,
    created_at bigint NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    purged_through bigint DEFAULT 0 NOT NULL,
    digest text DEFAULT '0.0.0'::text NOT NULL,
    epoch text DEFAULT ''::text NOT NULL,
    collections jsonb DEFAULT '{}'::jsonb NOT NULL,
    record_bytes bigint DEFAULT 0 NOT NULL,
    answer_bytes bigint DEFAULT 0 NOT NULL,
    answer_count bigint DEFAULT 0 NOT NULL,
    last_used_at bigint DEFAULT 0 NOT NULL,
    deleted_at bigint,
    token_generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT account_id_check CHECK (((octet_length(id) >= 1) AND (octet_length(id) <= 200))),
    CONSTRAINT account_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.account FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.account OWNER TO underway_owner;

ALTER TABLE underway.account ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME underway.account_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE underway.answer_day (
    account bigint NOT NULL,
    day integer NOT NULL,
    bank text NOT NULL COLLATE pg_catalog."C",
    domain text NOT NULL COLLATE pg_catalog."C",
    answers integer NOT NULL,
    correct integer NOT NULL,
    questions_of_day integer NOT NULL,
    questions_of_domain integer NOT NULL,
    taken bigint NOT NULL,
    last_at bigint NOT NULL,
    histogram integer[] NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.answer_day FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.answer_day OWNER TO underway_owner;

CREATE VIEW underway.answers_by_day WITH (security_invoker='true') AS
 SELECT answer_day.account,
    ('1970-01-01'::date + answer_day.day) AS day,
    sum(answer_day.answers) AS answers,
    sum(answer_day.correct) AS correct,
    sum(answer_day.questions_of_day) AS questions,
    (sum(answer_day.taken))::bigint AS taken_milliseconds
   FROM underway.answer_day
  GROUP BY answer_day.account, answer_day.day;

ALTER TABLE underway.answers_by_day OWNER TO underway_owner;

CREATE VIEW underway.answers_by_domain WITH (security_invoker='true') AS
 WITH steps AS (
         SELECT d.account,
            d.bank,
            d.domain,
            (h.place - 1) AS step,
            sum(h.answers) AS answers
           FROM underway.answer_day d,
            LATERAL unnest(d.histogram) WITH ORDINALITY h(answers, place)
          GROUP BY d.account, d.bank, d.domain, h.place
        ), running AS (
         SELECT steps.account,
            steps.bank,
            steps.domain,
            steps.step,
            sum(steps.answers) OVER (PARTITION BY steps.account, steps.bank, steps.domain ORDER BY steps.step) AS through,
            sum(steps.answers) OVER (PARTITION BY steps.account, steps.bank, steps.domain) AS total
           FROM steps
        ), medians AS (
         SELECT running.account,
            running.bank,
            running.domain,
            underway.step_start(min(running.step)) AS milliseconds
           FROM running
          WHERE ((running.through * (2)::numeric) >= running.total)
          GROUP BY running.account, running.bank, running.domain
        ), sums AS (
         SELECT answer_day.account,
            answer_day.bank,
            answer_day.domain,
            sum(answer_day.answers) AS answers,
            sum(answer_day.correct) AS correct,
            sum(answer_day.questions_of_domain) AS questions,
            max(answer_day.last_at) AS last_milliseconds
           FROM underway.answer_day
          GROUP BY answer_day.account, answer_day.bank, answer_day.domain
        )
 SELECT s.account,
    s.bank,
    s.domain,
    s.answers,
    s.correct,
    ((s.correct)::double precision / (s.answers)::double precision) AS accuracy,
    s.questions,
    m.milliseconds AS median_milliseconds,
    s.last_milliseconds
   FROM (sums s
     JOIN medians m USING (account, bank, domain));

ALTER TABLE underway.answers_by_domain OWNER TO underway_owner;

CREATE TABLE underway.damaged_record (
    account bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    found_at bigint NOT NULL,
    json text NOT NULL
);

ALTER TABLE ONLY underway.damaged_record FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.damaged_record OWNER TO underway_owner;

CREATE TABLE underway.device (
    account bigint NOT NULL,
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    last_answer integer DEFAULT 0 NOT NULL,
    last_seen_at bigint DEFAULT 0 NOT NULL,
    is_retired boolean DEFAULT false NOT NULL,
    processed_before bigint DEFAULT 0 NOT NULL,
    request_number bigint DEFAULT 0 NOT NULL,
    request_hash bytea DEFAULT '\x'::bytea NOT NULL,
    head_position bigint DEFAULT 0 NOT NULL,
    head_epoch text DEFAULT ''::text NOT NULL,
    CONSTRAINT device_number_check CHECK ((number > 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY underway.device FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.device OWNER TO underway_owner;

CREATE TABLE underway.email_code (
    account bigint NOT NULL,
    purpose text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    CONSTRAINT email_code_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT email_code_purpose_check CHECK ((purpose = ANY (ARRAY['verifyEmail'::text, 'resetPassword'::text])))
);

ALTER TABLE ONLY underway.email_code FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.email_code OWNER TO underway_owner;

CREATE UNLOGGED TABLE underway.failed_attempt (
    limit_name text NOT NULL COLLATE pg_catalog."C",
    name bytea NOT NULL,
    "window" bigint NOT NULL,
    current integer NOT NULL,
    former integer NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT failed_attempt_name_check CHECK ((octet_length(name) = 32))
);

ALTER TABLE ONLY underway.failed_attempt FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.failed_attempt OWNER TO underway_owner;

CREATE TABLE underway.identity (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    account bigint NOT NULL,
    CONSTRAINT identity_issuer_check CHECK (((octet_length(issuer) >= 1) AND (octet_length(issuer) <= 1024))),
    CONSTRAINT identity_subject_check CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 255)))
);

ALTER TABLE ONLY underway.identity FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.identity OWNER TO underway_owner;

CREATE TABLE underway.instance_mark (
    instance text NOT NULL COLLATE pg_catalog."C",
    mark text NOT NULL,
    renewed_at bigint NOT NULL
);

ALTER TABLE ONLY underway.instance_mark FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.instance_mark OWNER TO underway_owner;

CREATE TABLE underway.mark (
    account bigint NOT NULL,
    "position" bigint NOT NULL,
    text text NOT NULL,
    CONSTRAINT mark_position_check CHECK (("position" > 0))
);

ALTER TABLE ONLY underway.mark FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.mark OWNER TO underway_owner;

CREATE TABLE underway.migration (
    name text NOT NULL,
    checksum text NOT NULL,
    is_breaking boolean DEFAULT false NOT NULL,
    ran_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE underway.migration OWNER TO underway_owner;

CREATE TABLE underway.password (
    account bigint NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    rounds integer NOT NULL,
    verified_at bigint,
    CONSTRAINT password_email_check CHECK (((octet_length(email) >= 1) AND (octet_length(email) <= 254))),
    CONSTRAINT password_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT password_rounds_check CHECK ((rounds >= 1024)),
    CONSTRAINT password_salt_check CHECK ((octet_length(salt) = 16))
);

ALTER TABLE ONLY underway.password FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.password OWNER TO underway_owner;

CREATE TABLE underway.question_day (
    account bigint NOT NULL,
    day integer NOT NULL,
    question integer NOT NULL
);

ALTER TABLE ONLY underway.question_day FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.question_day OWNER TO underway_owner;

CREATE TABLE underway.question_domain (
    account bigint NOT NULL,
    question integer NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY underway.question_domain FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.question_domain OWNER TO underway_owner;

CREATE TABLE underway.record (
    account bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    batch bigint NOT NULL,
    deleted_at bigint,
    json json NOT NULL,
    CONSTRAINT record_collection_check CHECK (((length(collection) >= 1) AND (length(collection) <= 64))),
    CONSTRAINT record_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200))),
    CONSTRAINT record_position_check CHECK (("position" > 0))
);

ALTER TABLE ONLY underway.record FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.record OWNER TO underway_owner;

CREATE TABLE underway.refresh_token (
    hash bytea NOT NULL,
    family text NOT NULL COLLATE pg_catalog."C",
    parent bytea,
    account bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint,
    generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT refresh_token_hash_check CHECK ((octet_length(hash) = 32))
);

ALTER TABLE ONLY underway.refresh_token FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.refresh_token OWNER TO underway_owner;

CREATE TABLE underway.result (
    account bigint NOT NULL,
    device integer NOT NULL,
    counter bigint NOT NULL,
    kind text NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    refusal text DEFAULT ''::text NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT result_counter_check CHECK ((counter > 0)),
    CONSTRAINT result_kind_check CHECK ((kind = ANY (ARRAY['accepted'::text, 'merged'::text, 'conflict'::text, 'refused'::text])))
);

ALTER TABLE ONLY underway.result FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.result OWNER TO underway_owner;

CREATE VIEW underway.retention WITH (security_invoker='true') AS
 WITH repeats AS (
         SELECT a.account,
            ((a.flags)::integer & 1) AS correct,
            ((a.at - lag(a.at) OVER (PARTITION BY a.account, v.question ORDER BY a.at, a.device, a.counter)) / 86400000) AS days
           FROM (underway.answer a
             JOIN underway.own_name v ON (((v.account = a.account) AND (v.number = a.question))))
        ), spans AS (
         SELECT repeats.account,
            repeats.correct,
                CASE
                    WHEN (repeats.days < 1) THEN 0
                    WHEN (repeats.days < 2) THEN 1
                    WHEN (repeats.days < 4) THEN 2
                    WHEN (repeats.days < 8) THEN 4
                    WHEN (repeats.days < 15) THEN 8
                    WHEN (repeats.days < 31) THEN 15
                    WHEN (repeats.days < 91) THEN 31
                    ELSE 91
                END AS days_since
           FROM repeats
          WHERE (repeats.days IS NOT NULL)
        )
 SELECT spans.account,
    spans.days_since,
    count(*) AS answers,
    sum(spans.correct) AS correct,
    ((sum(spans.correct))::double precision / (count(*))::double precision) AS retention
   FROM spans
  GROUP BY spans.account, spans.days_since;

ALTER TABLE underway.retention OWNER TO underway_owner;

CREATE TABLE underway.revocation (
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    kept text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    token_generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT revocation_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'family'::text, 'sessions'::text])))
);

ALTER TABLE ONLY underway.revocation FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.revocation OWNER TO underway_owner;

CREATE TABLE underway.session (
    account bigint NOT NULL,
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT session_number_check CHECK ((number > 0))
);

ALTER TABLE ONLY underway.session FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.session OWNER TO underway_owner;

CREATE TABLE underway.setting (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);

ALTER TABLE ONLY underway.setting FORCE ROW LEVEL SECURITY;

ALTER TABLE underway.setting OWNER TO underway_owner;

CREATE VIEW underway.study_streak WITH (security_invoker='true') AS
 WITH days AS (
         SELECT answer_day.account,
            answer_day.day,
            (answer_day.day - row_number() OVER (PARTITION BY answer_day.account ORDER BY answer_day.day)) AS island
           FROM underway.answer_day
          GROUP BY answer_day.account, answer_day.day
        )
 SELECT days.account,
    ('1970-01-01'::date + min(days.day)) AS first_day,
    ('1970-01-01'::date + max(days.day)) AS last_day,
    count(*) AS days
   FROM days
  GROUP BY days.account, days.island;

ALTER TABLE underway.study_streak OWNER TO underway_owner;

INSERT INTO underway.account OVERRIDING SYSTEM VALUE VALUES (1, 'u', '7d8c5a3d-3bd3-83d5-80d5-8f54b0ab4d63', 0, 6, 0, '2.37f3e167bd6e199d.5272a83cd71199dd', 'kept-u', '{"stars": 4}', 489, 368, 6, 0, NULL, 0);
INSERT INTO underway.account OVERRIDING SYSTEM VALUE VALUES (2, 'v', '8298b668-7d07-8e38-b033-c6b246ede177', 0, 3, 0, '1.dc36339c98c0ba3e.af1dbebe79f14f16', 'kept-v', '{"stars": 2}', 242, 184, 3, 0, NULL, 0);

INSERT INTO underway.answer VALUES (1, 1790000000000, 1, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL);
INSERT INTO underway.answer VALUES (1, NULL, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, 1790000000000, 1, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]');
INSERT INTO underway.answer VALUES (1, 1790000000000, 2, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL);
INSERT INTO underway.answer VALUES (1, NULL, 2, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (1, 1790000000000, 2, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]');
INSERT INTO underway.answer VALUES (2, 1790000000000, 1, 1, -4, 1, -2, 1500, 0, 1, NULL, NULL);
INSERT INTO underway.answer VALUES (2, NULL, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO underway.answer VALUES (2, 1790000000000, 1, 3, -5, 1, NULL, 1500, 0, 0, NULL, '["#42"]');

INSERT INTO underway.answer_day VALUES (1, 20717, 'es', 'd1', 4, 2, 2, 2, 6000, 1790000000000, '{0,0,0,0,0,0,4}');
INSERT INTO underway.answer_day VALUES (2, 20717, 'es', 'd1', 2, 1, 2, 2, 3000, 1790000000000, '{0,0,0,0,0,0,2}');

INSERT INTO underway.damaged_record VALUES (2, 'stars', 'lost', 1, 1790000000000, '{"broken"');

INSERT INTO underway.device VALUES (1, 1, 'phone', 3, 1790000000000, false, 0, 1, '\x4f36152dbcb62e6593c93b097c801d92', 0, '');
INSERT INTO underway.device VALUES (1, 2, 'tablet', 3, 1790000000000, false, 0, 1, '\x7a159624002edef7650a5e5d68f11d32', 0, '');
INSERT INTO underway.device VALUES (2, 1, 'phone', 3, 1790000000000, false, 0, 1, '\x0cbb936a9c19e05c7e99c68c3d74aeb2', 0, '');

INSERT INTO underway.email_code VALUES (1, 'resetPassword', '\x0505050505050505050505050505050505050505050505050505050505050505', 'ada@example.org', 1790001800);

INSERT INTO underway.failed_attempt VALUES ('email', '\x0606060606060606060606060606060606060606060606060606060606060606', 1, 2, 3, 1790000000);

INSERT INTO underway.identity VALUES ('https://issuer.example', 'ada', 1);

INSERT INTO underway.instance_mark VALUES ('first', 'first.mark', 1790000000000);

INSERT INTO underway.mark VALUES (1, 3, 'kept-u');
INSERT INTO underway.mark VALUES (1, 6, 'kept-u');
INSERT INTO underway.mark VALUES (2, 3, 'kept-v');

INSERT INTO underway.migration VALUES ('1 ledger', 'b4288b939d97916fe9087cda47d13f5b49ce52c698b06296c0396525b909c659', false, '2026-11-22 21:20:43.993335+00');
INSERT INTO underway.migration VALUES ('2 accounts', '71ca26a72879834ba753367ce086afa8d4f9a298ede4f0875935acededbc82b0', false, '2026-11-22 21:20:44.065599+00');
INSERT INTO underway.migration VALUES ('3 checks', '8c8b14bdc65256a61f031b7f9a35e93dbfc35275a312cfcfa04996d2a13a7f9d', false, '2026-11-22 21:20:44.113468+00');

INSERT INTO underway.own_name VALUES (1, -1, 'question', '88cddbba-a8f7-bc59-018b-4d9fa0ab2e36', NULL, 'es', NULL, 'q1');
INSERT INTO underway.own_name VALUES (1, -2, 'options', 'd4c167fe-e7b1-399a-dc87-4ea987584143', NULL, NULL, NULL, '["a"]');
INSERT INTO underway.own_name VALUES (1, -3, 'question', '7be473f0-db54-6b08-4ef0-23abb2a5130e', NULL, 'es', NULL, 'q2');
INSERT INTO underway.own_name VALUES (1, -4, 'version', '8416a759-f9ac-1c06-b69a-aa18a60718b4', -1, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (1, -5, 'version', '7428e669-2d71-112c-e0ee-6c5add0a809b', -3, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (2, -1, 'question', '88cddbba-a8f7-bc59-018b-4d9fa0ab2e36', NULL, 'es', NULL, 'q1');
INSERT INTO underway.own_name VALUES (2, -2, 'options', 'd4c167fe-e7b1-399a-dc87-4ea987584143', NULL, NULL, NULL, '["a"]');
INSERT INTO underway.own_name VALUES (2, -3, 'question', '7be473f0-db54-6b08-4ef0-23abb2a5130e', NULL, 'es', NULL, 'q2');
INSERT INTO underway.own_name VALUES (2, -4, 'version', '8416a759-f9ac-1c06-b69a-aa18a60718b4', -1, NULL, 'd1', 'v1');
INSERT INTO underway.own_name VALUES (2, -5, 'version', '7428e669-2d71-112c-e0ee-6c5add0a809b', -3, NULL, 'd1', 'v1');

INSERT INTO underway.password VALUES (1, 'ada@example.org', '\x07070707070707070707070707070707', '\x7ca67e24fbba5809a526b94abafc14e424db747501226cf3e04077c34af84496', 1024, 1790000000);

INSERT INTO underway.question_day VALUES (1, 20717, -1);
INSERT INTO underway.question_day VALUES (1, 20717, -3);
INSERT INTO underway.question_day VALUES (2, 20717, -1);
INSERT INTO underway.question_day VALUES (2, 20717, -3);

INSERT INTO underway.question_domain VALUES (1, -1, 'd1');
INSERT INTO underway.question_domain VALUES (1, -3, 'd1');
INSERT INTO underway.question_domain VALUES (2, -1, 'd1');
INSERT INTO underway.question_domain VALUES (2, -3, 'd1');

INSERT INTO underway.record VALUES (1, 'stars', 'phone-a', 1, 1, NULL, '{"by":["phone",1],"collection":"stars","fields":{"n":1},"id":"phone-a","revision":1,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'phone-b', 3, 1, 1790000000000, '{"by":["phone",3],"collection":"stars","deleted":true,"id":"phone-b","overwritten":{"phone":2},"revision":3,"time":[1790000000003,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'tablet-a', 4, 4, NULL, '{"by":["tablet",1],"collection":"stars","fields":{"n":1},"id":"tablet-a","revision":4,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (1, 'stars', 'tablet-b', 6, 4, 1790000000000, '{"by":["tablet",3],"collection":"stars","deleted":true,"id":"tablet-b","overwritten":{"tablet":2},"revision":6,"time":[1790000000003,0]}');
INSERT INTO underway.record VALUES (2, 'stars', 'phone-a', 1, 1, NULL, '{"by":["phone",1],"collection":"stars","fields":{"n":1},"id":"phone-a","revision":1,"time":[1790000000001,0]}');
INSERT INTO underway.record VALUES (2, 'stars', 'phone-b', 3, 1, 1790000000000, '{"by":["phone",3],"collection":"stars","deleted":true,"id":"phone-b","overwritten":{"phone":2},"revision":3,"time":[1790000000003,0]}');

INSERT INTO underway.refresh_token VALUES ('\x15ebe4f459cf303e73f740aab93627b9e3726d3768712d4624b183b1e84c3b8f', 'kept', NULL, 2, 1900000000, NULL, 0);

INSERT INTO underway.result VALUES (1, 1, 1, 'accepted', 1, '', '\x53295a81130821f416657a51c5a96c24');
INSERT INTO underway.result VALUES (1, 1, 2, 'accepted', 2, '', '\xb5ebe099c82cec02411ec5e439b0b642');
INSERT INTO underway.result VALUES (1, 1, 3, 'accepted', 3, '', '\xecb2163d830a9caecb093466e3ebb494');
INSERT INTO underway.result VALUES (1, 2, 1, 'accepted', 4, '', '\x0f2df0e19615eea00602f9ee54886587');
INSERT INTO underway.result VALUES (1, 2, 2, 'accepted', 5, '', '\xcbbfb1fc2452b900039ec24b92d039cf');
INSERT INTO underway.result VALUES (1, 2, 3, 'accepted', 6, '', '\x5b0ed482f00c1786f91e60eb8ef09a00');
INSERT INTO underway.result VALUES (2, 1, 1, 'accepted', 1, '', '\x53295a81130821f416657a51c5a96c24');
INSERT INTO underway.result VALUES (2, 1, 2, 'accepted', 2, '', '\xb5ebe099c82cec02411ec5e439b0b642');
INSERT INTO underway.result VALUES (2, 1, 3, 'accepted', 3, '', '\xecb2163d830a9caecb093466e3ebb494');

INSERT INTO underway.revocation VALUES ('family', 'ended', 1790000000000, '', 0);

INSERT INTO underway.session VALUES (1, 1, 's1', 'study');
INSERT INTO underway.session VALUES (2, 1, 's1', 'study');

INSERT INTO underway.setting VALUES ('generation', '1790000000');

SELECT pg_catalog.setval('underway.account_number_seq', 2, true);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_id_key UNIQUE (id);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (number);

ALTER TABLE ONLY underway.account
    ADD CONSTRAINT account_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY underway.answer_day
    ADD CONSTRAINT answer_day_pkey PRIMARY KEY (account, day, bank, domain);

ALTER TABLE ONLY underway.answer
    ADD CONSTRAINT answer_pkey PRIMARY KEY (account, device, counter);

ALTER TABLE ONLY underway.damaged_record
    ADD CONSTRAINT damaged_record_pkey PRIMARY KEY (account, "position");

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_account_name_key UNIQUE (account, name);

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.email_code
    ADD CONSTRAINT email_code_pkey PRIMARY KEY (account, purpose, hash);

ALTER TABLE ONLY underway.failed_attempt
    ADD CONSTRAINT failed_attempt_pkey PRIMARY KEY (limit_name, name);

ALTER TABLE ONLY underway.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY underway.instance_mark
    ADD CONSTRAINT instance_mark_pkey PRIMARY KEY (instance);

ALTER TABLE ONLY underway.mark
    ADD CONSTRAINT mark_pkey PRIMARY KEY (account, "position");

ALTER TABLE ONLY underway.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_account_digest_key UNIQUE (account, digest);

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_email_key UNIQUE (email);

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_pkey PRIMARY KEY (account);

ALTER TABLE ONLY underway.question_day
    ADD CONSTRAINT question_day_pkey PRIMARY KEY (account, day, question);

ALTER TABLE ONLY underway.question_domain
    ADD CONSTRAINT question_domain_pkey PRIMARY KEY (account, question, domain);

ALTER TABLE ONLY underway.record
    ADD CONSTRAINT record_pkey PRIMARY KEY (account, collection, id);

ALTER TABLE ONLY underway.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY underway.result
    ADD CONSTRAINT result_pkey PRIMARY KEY (account, device, counter);

ALTER TABLE ONLY underway.revocation
    ADD CONSTRAINT revocation_pkey PRIMARY KEY (kind, name);

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_account_name_mode_key UNIQUE (account, name, mode);

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (account, number);

ALTER TABLE ONLY underway.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

CREATE INDEX account_by_deletion ON underway.account USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX account_by_use ON underway.account USING btree (last_used_at, number);

CREATE INDEX email_code_by_expiry ON underway.email_code USING btree (expires_at);

CREATE INDEX failed_attempt_by_expiry ON underway.failed_attempt USING btree (expires_at);

CREATE INDEX identity_by_account ON underway.identity USING btree (account);

CREATE INDEX record_by_deletion ON underway.record USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX record_by_position ON underway.record USING btree (account, "position");

CREATE INDEX refresh_token_by_account ON underway.refresh_token USING btree (account);

CREATE INDEX refresh_token_by_expiry ON underway.refresh_token USING btree (expires_at);

CREATE INDEX refresh_token_by_family ON underway.refresh_token USING btree (family);

CREATE INDEX refresh_token_by_parent ON underway.refresh_token USING btree (parent);

CREATE INDEX revocation_by_time ON underway.revocation USING btree (at);

CREATE TRIGGER erase_answers AFTER DELETE ON underway.account FOR EACH ROW EXECUTE FUNCTION underway.erase_answers();

ALTER TABLE ONLY underway.answer_day
    ADD CONSTRAINT answer_day_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.damaged_record
    ADD CONSTRAINT damaged_record_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.device
    ADD CONSTRAINT device_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.email_code
    ADD CONSTRAINT email_code_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.identity
    ADD CONSTRAINT identity_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.mark
    ADD CONSTRAINT mark_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.own_name
    ADD CONSTRAINT own_name_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.password
    ADD CONSTRAINT password_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.record
    ADD CONSTRAINT record_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.refresh_token
    ADD CONSTRAINT refresh_token_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.result
    ADD CONSTRAINT result_account_device_fkey FOREIGN KEY (account, device) REFERENCES underway.device(account, number) ON DELETE CASCADE;

ALTER TABLE ONLY underway.session
    ADD CONSTRAINT session_account_fkey FOREIGN KEY (account) REFERENCES underway.account(number) ON DELETE CASCADE;

ALTER TABLE underway.account ENABLE ROW LEVEL SECURITY;

CREATE POLICY accounts ON underway.account TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.email_code TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.failed_attempt TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.identity TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.instance_mark TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.password TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.refresh_token TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.revocation TO underway_accounts USING (true) WITH CHECK (true);

CREATE POLICY accounts ON underway.setting TO underway_accounts USING ((name = ANY (ARRAY['generation'::text, 'keyPrint'::text]))) WITH CHECK ((name = ANY (ARRAY['generation'::text, 'keyPrint'::text])));

CREATE POLICY all_read ON underway.setting FOR SELECT TO underway_accounts, underway_keeper, authenticated USING (true);

ALTER TABLE underway.answer ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.answer_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.damaged_record ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.device ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.email_code ENABLE ROW LEVEL SECURITY;

CREATE POLICY erased ON underway.account TO underway_owner USING (((number = ( SELECT underway.erased() AS erased)) OR (deleted_at IS NOT NULL)));

CREATE POLICY erased ON underway.answer TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.answer_day TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.damaged_record TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.device TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.email_code TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.identity TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.mark TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.own_name TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.password TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.question_day TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.question_domain TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.record TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.refresh_token TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.result TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

CREATE POLICY erased ON underway.session TO underway_owner USING ((account = ( SELECT underway.erased() AS erased)));

ALTER TABLE underway.failed_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.identity ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.instance_mark ENABLE ROW LEVEL SECURITY;

CREATE POLICY keeper ON underway.account TO underway_keeper USING (true) WITH CHECK (true);

CREATE POLICY keeper ON underway.damaged_record FOR SELECT TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.email_code TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.failed_attempt TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.identity TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.password TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.record TO underway_keeper USING ((deleted_at IS NOT NULL));

CREATE POLICY keeper ON underway.refresh_token TO underway_keeper USING (true);

CREATE POLICY keeper ON underway.setting TO underway_keeper USING (true) WITH CHECK (true);

ALTER TABLE underway.mark ENABLE ROW LEVEL SECURITY;

CREATE POLICY orphans ON underway.answer FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = answer.account)))));

CREATE POLICY orphans ON underway.question_day FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = question_day.account)))));

CREATE POLICY orphans ON underway.question_domain FOR SELECT TO underway_keeper USING ((NOT (EXISTS ( SELECT
   FROM underway.account a
  WHERE (a.number = question_domain.account)))));

CREATE POLICY own ON underway.account TO authenticated USING ((user_id = ( SELECT underway.token_user() AS token_user))) WITH CHECK ((user_id = ( SELECT underway.token_user() AS token_user)));

CREATE POLICY own ON underway.answer TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.answer_day TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.damaged_record TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.device TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.mark TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.own_name TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.question_day TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.question_domain TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.record TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.result TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

CREATE POLICY own ON underway.session TO authenticated USING ((account = ( SELECT underway.claim() AS claim))) WITH CHECK ((account = ( SELECT underway.claim() AS claim)));

ALTER TABLE underway.own_name ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.password ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.question_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.question_domain ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.record ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.refresh_token ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.result ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.revocation ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.session ENABLE ROW LEVEL SECURITY;

ALTER TABLE underway.setting ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA auth TO authenticated;
GRANT USAGE ON SCHEMA auth TO anon;

GRANT USAGE ON SCHEMA underway TO authenticated;
GRANT USAGE ON SCHEMA underway TO anon;
GRANT USAGE ON SCHEMA underway TO underway_accounts;
GRANT USAGE ON SCHEMA underway TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.answer TO authenticated;

GRANT SELECT(account) ON TABLE underway.answer TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.own_name TO authenticated;

REVOKE ALL ON FUNCTION underway.erase_1(p_limit bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION underway.erase_1(p_limit bigint) TO underway_keeper;

REVOKE ALL ON FUNCTION underway.erase_answers() FROM PUBLIC;

REVOKE ALL ON FUNCTION underway.recount_1(p_account bigint) FROM PUBLIC;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.account TO underway_accounts;
GRANT SELECT ON TABLE underway.account TO underway_keeper;
GRANT SELECT ON TABLE underway.account TO authenticated;

GRANT UPDATE("position") ON TABLE underway.account TO authenticated;

GRANT UPDATE(purged_through) ON TABLE underway.account TO underway_keeper;

GRANT UPDATE(digest) ON TABLE underway.account TO authenticated;

GRANT UPDATE(epoch) ON TABLE underway.account TO authenticated;

GRANT UPDATE(collections) ON TABLE underway.account TO underway_keeper;
GRANT UPDATE(collections) ON TABLE underway.account TO authenticated;

GRANT UPDATE(record_bytes) ON TABLE underway.account TO underway_keeper;
GRANT UPDATE(record_bytes) ON TABLE underway.account TO authenticated;

GRANT UPDATE(answer_bytes) ON TABLE underway.account TO authenticated;

GRANT UPDATE(answer_count) ON TABLE underway.account TO authenticated;

GRANT SELECT,INSERT,UPDATE ON TABLE underway.answer_day TO authenticated;

GRANT SELECT ON TABLE underway.answers_by_day TO authenticated;

GRANT SELECT ON TABLE underway.answers_by_domain TO authenticated;

GRANT SELECT,INSERT,DELETE ON TABLE underway.damaged_record TO authenticated;

GRANT SELECT(account) ON TABLE underway.damaged_record TO underway_keeper;

GRANT SELECT("position") ON TABLE underway.damaged_record TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.device TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.email_code TO underway_accounts;
GRANT DELETE ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(account) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(purpose) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(hash) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.email_code TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.failed_attempt TO underway_accounts;
GRANT DELETE ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(limit_name) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(name) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.failed_attempt TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.identity TO underway_accounts;

GRANT SELECT(account) ON TABLE underway.identity TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.instance_mark TO underway_accounts;

GRANT SELECT,INSERT,DELETE ON TABLE underway.mark TO authenticated;

GRANT SELECT ON TABLE underway.migration TO authenticated;
GRANT SELECT ON TABLE underway.migration TO underway_accounts;
GRANT SELECT ON TABLE underway.migration TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.password TO underway_accounts;

GRANT SELECT(account) ON TABLE underway.password TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.question_day TO authenticated;

GRANT SELECT(account) ON TABLE underway.question_day TO underway_keeper;

GRANT SELECT,INSERT ON TABLE underway.question_domain TO authenticated;

GRANT SELECT(account) ON TABLE underway.question_domain TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.record TO authenticated;
GRANT DELETE ON TABLE underway.record TO underway_keeper;

GRANT SELECT(account) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(collection) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(id) ON TABLE underway.record TO underway_keeper;

GRANT SELECT("position") ON TABLE underway.record TO underway_keeper;

GRANT SELECT(deleted_at) ON TABLE underway.record TO underway_keeper;

GRANT SELECT(json) ON TABLE underway.record TO underway_keeper;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.refresh_token TO underway_accounts;
GRANT DELETE ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT(hash) ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT(expires_at) ON TABLE underway.refresh_token TO underway_keeper;

GRANT SELECT,INSERT,DELETE ON TABLE underway.result TO authenticated;

GRANT SELECT ON TABLE underway.retention TO authenticated;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE underway.revocation TO underway_accounts;

GRANT SELECT,INSERT ON TABLE underway.session TO authenticated;

GRANT SELECT ON TABLE underway.setting TO authenticated;
GRANT SELECT,INSERT,UPDATE ON TABLE underway.setting TO underway_accounts;
GRANT SELECT,INSERT,UPDATE ON TABLE underway.setting TO underway_keeper;

GRANT SELECT ON TABLE underway.study_streak TO authenticated;

