extension LedgerFunctions {
    /// Adds a run of answers with their names.
    static let appending = """
        CREATE FUNCTION underway.ledger_append_1(
            p_device text, p_first bigint,
            p_name_kinds text[], p_name_digests uuid[], p_name_texts text[], p_name_banks text[],
            p_name_domains text[], p_name_questions integer[],
            p_session_names text[], p_session_modes text[],
            p_questions integer[], p_sessions integer[], p_options integer[], p_ats bigint[],
            p_taken integer[], p_exposures integer[], p_flags smallint[], p_credits double precision[],
            p_responses text[], p_offsets smallint[],
            p_place_days integer[], p_place_banks text[], p_place_domains text[],
            p_place_answers integer[], p_place_correct integer[], p_place_taken bigint[],
            p_place_lasts bigint[], p_place_histograms text[],
            p_day_questions integer[], p_day_places integer[],
            p_domain_questions integer[], p_domain_places integer[])
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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
                    exposures, flags, credit, response, offset_minutes)
                SELECT v_account, v_device, p_first + u.place - 1, v_names[u.question],
                    v_sessions[u.session], v_names[u.options], u.at, u.taken, u.exposures, u.flags,
                    u.credit, u.response, u.offset_minutes
                FROM unnest(p_questions, p_sessions, p_options, p_ats, p_taken, p_exposures, p_flags,
                    p_credits, p_responses, p_offsets) WITH ORDINALITY
                    u (question, session, options, at, taken, exposures, flags, credit, response,
                        offset_minutes, place);
            PERFORM count_answers(v_names, p_place_days, p_place_banks, p_place_domains, p_place_answers,
                p_place_correct, p_place_taken, p_place_lasts, p_place_histograms, p_day_questions,
                p_day_places, p_domain_questions, p_domain_places);
        END $$;
        """

    /// The numbers of names and sessions, which are added where they are new; versions name their question by place.
    ///
    /// Names are looked up one by one, by the unique index: a join is planned for the few rows of most accounts, and
    /// compares each name with each where there are thousands.
    static let names = """
        CREATE FUNCTION underway.own_names(
            p_kinds text[], p_digests uuid[], p_texts text[], p_banks text[], p_domains text[],
            p_questions integer[])
            RETURNS integer[] LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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

        CREATE FUNCTION underway.own_sessions(p_names text[], p_modes text[])
            RETURNS integer[] LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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
        """
}
