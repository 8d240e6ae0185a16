import ContentModel

extension ContentSchema {
    /// The functions by which constraints judge options and keys, as `Question.read` does.
    ///
    /// `case` checks the type of a value before anything unpacks it, because SQL does not promise the evaluation order
    /// of `and`. `coalesce` makes unknown values false, because a constraint passes on NULL.
    static let keys = optionFunctions + numberFunctions + keyFunctions

    private static let optionFunctions = """
        create function content.option_ok(option jsonb) returns boolean
        language sql immutable parallel safe
        return coalesce(case when jsonb_typeof(option) = 'object' then
            option - array['id', 'text', 'image', 'pinned', 'feedback'] = '{}'
            and case when jsonb_typeof(option->'id') = 'string'
                then content.identifier_ok(option->>'id') else false end
            and case coalesce(jsonb_typeof(option->'text'), 'null')
                when 'null' then true
                when 'string' then content.text_ok(option->>'text') else false end
            and case coalesce(jsonb_typeof(option->'image'), 'null')
                when 'null' then content.is_visible(option->>'text')
                when 'string' then content.path_ok(option->>'image') else false end
            and coalesce(jsonb_typeof(option->'pinned'), 'null') in ('null', 'boolean')
            and case coalesce(jsonb_typeof(option->'feedback'), 'null')
                when 'null' then true
                when 'string' then content.text_ok(option->>'feedback') else false end
            end, false);

        create function content.audio_ok(audio jsonb) returns boolean
        language sql immutable parallel safe
        return coalesce(case when jsonb_typeof(audio) = 'object' then
            audio - array['file', 'title', 'transcript'] = '{}'
            and case when jsonb_typeof(audio->'file') = 'string'
                then content.path_ok(audio->>'file') and (audio->>'file') collate "C"
                    ~* '[.](\(QuestionAudio.fileEndings.joined(separator: "|")))$' else false end
            and case coalesce(jsonb_typeof(audio->'title'), 'null')
                when 'null' then true
                when 'string' then content.text_ok(audio->>'title') else false end
            and case coalesce(jsonb_typeof(audio->'transcript'), 'null')
                when 'null' then true
                when 'string' then content.text_ok(audio->>'transcript') else false end
            end, false);

        create function content.options_ok(options jsonb) returns boolean
        language sql immutable parallel safe
        return coalesce(case when jsonb_typeof(options) = 'array' then
            jsonb_array_length(options) between 2 and 64
            and (
                select bool_and(content.option_ok(option))
                    and count(distinct (option->>'id') collate "C") = count(*)
                    and count(distinct (
                        content.spaced_text(coalesce(option->>'text', '')) collate "C",
                        normalize(coalesce(option->>'image', ''), nfc) collate "C")) = count(*)
                from jsonb_array_elements(options) as option)
            end, false);

        """

    /// `decimal_text` is `DecimalNumber.init(_:)`; `decimal_value` adds the rule for plain numbers of
    /// JSON, which a reader may have rounded to the nearest double.
    private static let numberFunctions = #"""
        create function content.decimal_text(value text) returns numeric
        language plpgsql immutable parallel safe set search_path = pg_catalog as $$
        declare
            part text[] := regexp_match(
                value collate "C",
                '^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)0*([0-9]{1,3}))?$');
            mantissa text := part[2] || coalesce(part[3], '');
            digits text := btrim(mantissa, '0');
            power integer := length(part[2]) - 1 + coalesce((part[4] || part[5])::integer, 0)
                - (length(mantissa) - length(ltrim(mantissa, '0')));
        begin
            if mantissa = '' then return null; end if;
            if digits = '' then return 0; end if;
            if length(digits) > 30 or abs(power) > 99 then return null; end if;
            return (part[1] || digits || 'e' || (power - length(digits) + 1))::numeric;
        end $$;

        -- The cast of a double to numeric rounds it to 15 digits, whatever the client has set; the
        -- point and the 0 behind a whole number count as a digit, as in `ObjectReader.number`.
        create function content.plain_number(value double precision) returns numeric
        language plpgsql immutable parallel safe set search_path = pg_catalog as $$
        declare
            number numeric := value::numeric;
        begin
            return case when number::double precision = value
                and (number <> trunc(number) or abs(number) < 1e14 or abs(value) > 18014398509481984)
                and abs(number) >= 1e-99 and abs(number) < 1e100
                then number end;
        end $$;

        create function content.decimal_value(value jsonb) returns numeric
        language sql immutable parallel safe
        return case
            when jsonb_typeof(value) = 'string' then content.decimal_text(value #>> '{}')
            when jsonb_typeof(value) <> 'number' then null
            when value #>> '{}' !~ '\.'
                and value::numeric between -9223372036854775808 and 9223372036854775807
                then value::numeric
            -- Half of the least double and what is below is read as 0.
            when abs(value::numeric) <= 2.47032822920623272088284396434110686e-324 then 0
            when abs(value::numeric) between 1e-100 and 1e100
                then content.plain_number(value::double precision)
            end;

        create function content.number_ok(number jsonb) returns boolean
        language sql immutable parallel safe
        return coalesce(case when jsonb_typeof(number) = 'object' then
            number - array['value', 'tolerance', 'relativeTolerance', 'from', 'to', 'unit'] = '{}'
            and case coalesce(jsonb_typeof(number->'unit'), 'null')
                when 'null' then true
                when 'string' then
                    content.is_visible(number->>'unit') and content.text_ok(number->>'unit')
                else false end
            and (
                select case when part ?| array['from', 'to'] then
                        not part ?| array['value', 'tolerance', 'relativeTolerance']
                        and content.decimal_value(part->'from') < content.decimal_value(part->'to')
                    when part ? 'relativeTolerance' then
                        not part ? 'tolerance'
                        and content.decimal_value(part->'value') <> 0
                        and content.decimal_value(part->'relativeTolerance') >= 0
                        and content.decimal_value(part->'relativeTolerance') < 1
                    when part ? 'tolerance' then
                        content.decimal_value(part->'value') is not null
                        and content.decimal_value(part->'tolerance') >= 0
                    else content.decimal_value(part->'value') is not null end
                from (select jsonb_strip_nulls(number) as part) as present)
            end, false);

        """#

    private static let keyFunctions = #"""
        create function content.key_ok(type text, key jsonb, options integer) returns boolean
        language sql immutable parallel safe
        return coalesce(case
            when type = 'numeric-entry' then content.number_ok(key)
            when jsonb_typeof(key) = 'array' then
                case type
                    when 'single-choice' then jsonb_array_length(key) = 1
                    when 'code-snippet' then jsonb_array_length(key) = 1
                    when 'multi-choice' then jsonb_array_length(key) >= 1
                    when 'ordering' then jsonb_array_length(key) = options
                    else false end
                and (
                    select bool_and(case
                            when jsonb_typeof(place) <> 'number' then false
                            when place #>> '{}' !~ '^[0-9]{1,2}$' then false
                            else place::integer < options end)
                        and count(distinct place) = count(*)
                    from jsonb_array_elements(key) as place)
            end, false);

        create function content.option_count(options jsonb) returns integer
        language sql immutable parallel safe
        return case when jsonb_typeof(options) = 'array' then jsonb_array_length(options) else 0 end;
        """#
}
