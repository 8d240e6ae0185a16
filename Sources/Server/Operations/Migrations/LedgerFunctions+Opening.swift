extension LedgerFunctions {
    /// Finds the account of the token's subject, and locks it for an exchange.
    ///
    /// Everything else is read by a later statement than the one that locks, which is why all functions are VOLATILE.
    static let entering = """
        CREATE FUNCTION underway.enter_1(p_lock boolean) RETURNS bigint LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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
        """

    /// Reads what every exchange needs of an account.
    static let opening = """
        CREATE FUNCTION underway.ledger_open_1(p_lock boolean, p_head bigint)
            RETURNS TABLE (
                "position" bigint, purged_through bigint, digest text, epoch text, record_bytes bigint,
                answer_bytes bigint, answer_count bigint, collections text, generation text,
                end_mark text, named_mark text, oldest_mark bigint, mark_count bigint)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
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
            RETURN NEXT;
        END $$;

        -- Results of one device below a number count as processed.
        CREATE FUNCTION underway.ledger_devices_1(p_device text, p_first_unread bigint)
            RETURNS TABLE (device underway.device, unread_results bigint)
            LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
                SELECT d, (SELECT count(*) FROM result r WHERE r.account = d.account
                    AND r.device = d.number AND r.counter >= greatest(d.processed_before,
                        CASE d.name WHEN p_device THEN p_first_unread ELSE 0 END))
                FROM device d WHERE d.account = claim() ORDER BY d.number;
        END $$;
        """
}
