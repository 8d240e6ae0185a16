import ContentModel

/// A record with its place in the file.
struct RawRecord {
    var place: String
    var fields: [String: JSONValue]
    /// Changes to the draft that the record's format knows.
    var finish: (inout QuestionDraft) -> Void = { _ in }
}

/// Reads the records of a file, after deciding for all of them what texts and keys mean.
struct RecordLoader {
    private let file: String
    private let settings: ImportSettings

    init(_ file: String, _ settings: ImportSettings) {
        self.file = file
        self.settings = settings
    }

    /// Adds the questions of records to a result.
    ///
    /// - Parameters:
    ///   - coded: The records, with their values as the file has them.
    ///   - fixed: The form of the texts where the format fixes it.
    ///   - result: The result.
    /// - Throws: ``ImportError`` for keys that the file does not decide.
    func read(
        _ coded: [RawRecord], form fixed: SourceTextForm? = nil, into result: inout ImportedDrafts
    ) throws(ImportError) {
        if coded.contains(where: {
            $0.fields.keys.contains { $0.hasPrefix(CSVHeader.repeatedKey) }
        }) {
            throw ImportError(
                file, .profileOpen,
                "has several columns for the key with one name, and not one behind each option;"
                    + " name them after the options, as \"Correct A\", or keep only one")
        }
        let values = RecordValues(coded, settings)
        let records = coded.map(values.decoded)
        if values.isUnfit, !coded.isEmpty {
            throw ImportError(
                file, .setting, "has no values that --values \(values.form.rawValue) decodes")
        }
        let plain = records.map {
            MappedRecord($0.fields, settings, place: $0.place)
        }
        let form =
            fixed ?? settings.textForm ?? SourceTextForm(deciding: plain.lazy.flatMap(\.texts))
        if fixed == nil, settings.textForm == nil, let said = form.note(plain.lazy.flatMap(\.texts))
        {
            note(.textForm, said, &result)
        }
        let decimal = settings.decimal ?? DecimalSign(deciding: plain.lazy.flatMap(\.numbers))
        let mapped = records.map {
            MappedRecord($0.fields, settings, place: $0.place, form: form, decimal: decimal)
        }
        let keys = Self.keys(mapped)
        let readings = try readings(keys, &result)
        try refuseOpenCount(mapped, keys, readings)
        let outcomes = zip(mapped, keys).map { $0.draft($1, readings) }
        let drafts = Array(zip(records, outcomes))
        let stems = mapped.map { $0.text("stem") }
        // The reasons of the others are said below.
        let read = outcomes.compactMap { try? $0.get() }
        for case (let record, .failure(let reason)) in drafts
        where read.isEmpty && !reason.openReadings.isEmpty {
            throw ImportError(
                file, .profileOpen,
                "has no question whose key can be read: at \(record.place), \(reason.text)")
        }
        let made = zip(keys, outcomes).count { key, outcome in
            if case .success = outcome { key.judgement != nil } else { false }
        }
        if made > 0 {
            let questions = made == 1 ? "1 question" : "\(made) questions"
            note(.trueFalse, "\(questions) without options got True and False as options", &result)
        }
        let letters = LettersInOptions(read, rule: settings.letters)
        if let rule = settings.letters, letters.rule == nil, !read.isEmpty {
            throw ImportError(
                file, .setting,
                "has no options that begin with letters, which --letters \(rule.rawValue) needs")
        }
        let numbers = NumbersInStems(read)
        for ((record, outcome), stem) in zip(drafts, stems) {
            switch outcome {
            case .success(var draft):
                letters.apply(to: &draft)
                numbers.apply(to: &draft)
                record.finish(&draft)
                result.add(draft)
            case .failure(let reason): result.skip(record.place, reason, text: stem)
            }
        }
        if let said = letters.note {
            note(letters.rule == .remove ? .lettersRemoved : .orderKept, said, &result)
        }
        if let said = numbers.note { note(.numbersRemoved, said, &result) }
        result.profile?.letters = letters.rule
        apply(values, decimal, &result)
        noteUnread(plain, &result)
        noteAbsent(plain, &result)
    }

    /// Says how values and numbers were read.
    private func apply(
        _ values: RecordValues, _ decimal: DecimalSign, _ result: inout ImportedDrafts
    ) {
        if values.form != .asTyped {
            result.profile?.values = values.form
            note(.valuesDecoded, "the values were decoded from \(values.form.rawValue)", &result)
        }
        if decimal == .comma, result.drafts.contains(where: { $0.number != nil }) {
            result.profile?.decimal = decimal
            note(.decimalComma, "the numbers were read with a decimal comma", &result)
        }
    }

    /// Returns the key of each record; a letter is true or false only if no record lacks its options.
    private static func keys(_ records: [MappedRecord]) -> [RecordKey] {
        let keys = records.map(\.key)
        guard keys.contains(where: \.lacksOptions) else { return keys }
        return keys.map { $0.judgement == .letter ? RecordKey() : $0 }
    }

    /// Decides how the keys of the file are read, and says so in its profile.
    private func readings(
        _ keys: [RecordKey], _ result: inout ImportedDrafts
    ) throws(ImportError) -> KeyReadings {
        let compared = keys.flatMap(\.facts).filter { $0.isCompared && !$0.fit.isEmpty }
        let readings = KeyReadings(compared.map(\.fit), chosen: settings.keys)
        if let chosen = settings.keys, !keys.isEmpty,
            !keys.contains(where: { $0.facts.contains { $0.fit[chosen] != nil } })
        {
            throw ImportError(
                file, .setting,
                "has no key that --keys \(chosen.rawValue) reads; without it the file decides"
            )
        }
        if let counts = readings.contradictingCounts {
            throw ImportError(
                file, .profileOpen,
                "has \(counts.fromZero) keys that only count from 0 and \(counts.fromOne) that only"
                    + " count from 1, as if two banks had been joined; say --keys from-0 or --keys from-1"
            )
        }
        var profile = result.profile ?? FileProfile()
        profile.count(keys, readings: readings, given: settings.keys)
        if profile.keys.contains(.fromOne), !profile.isKeyReadingGiven {
            note(.keys, "the keys count from 1, since some equal the number of options", &result)
        }
        if profile.keys.contains(.texts),
            compared.contains(where: {
                $0.isNumber && readings.decide($0.fit, isNumber: true) == $0.textDecision
            })
        {
            note(
                .keys,
                "the keys that are numbers were read as the texts of options, since some can only be that",
                &result)
        }
        result.profile = profile
        return readings
    }

    /// Refuses a file whose keys are numbers of which nothing says where they begin.
    private func refuseOpenCount(
        _ records: [MappedRecord], _ keys: [RecordKey], _ readings: KeyReadings
    ) throws(ImportError) {
        for (record, key) in zip(records, keys) {
            guard case .failure(let reason) = key.decide(readings),
                reason.openReadings.contains(.fromZero), reason.openReadings.contains(.fromOne),
                let fact = key.facts.first(where: { $0.fit[.fromZero] != nil })
            else { continue }
            func texts(_ reading: KeyReading) -> String {
                (fact.fit[reading] ?? []).map { "\"\(key.options[$0].prefix(60))\"" }
                    .joined(separator: ", ")
            }
            let stem = record.text("stem") ?? ""
            throw ImportError(
                file, .profileOpen,
                "does not say whether its keys count from 0 or from 1: no key is 0 and none is the"
                    + " number of options. At \(record.place), \"\(stem.prefix(100))\" is from 0:"
                    + " \(texts(.fromZero)), from 1: \(texts(.fromOne)); say --keys from-0 or --keys from-1"
            )
        }
    }

    /// Names the fields that the user named and no record has.
    private func noteAbsent(_ records: [MappedRecord], _ result: inout ImportedDrafts) {
        var absent = Set(settings.mapping.values).union(settings.joins.values.joined())
        for record in records where !absent.isEmpty { absent.subtract(record.fields.keys) }
        for name in absent.sorted() {
            note(.setting, "there is no field \"\(name)\", which --map or --join names", &result)
        }
    }

    /// Lists the fields of which nothing was read, each once with its count.
    private func noteUnread(_ records: [MappedRecord], _ result: inout ImportedDrafts) {
        var counts: [String: Int] = [:]
        for record in records {
            for field in record.unreadFields { counts[field, default: 0] += 1 }
        }
        result.unreadFields.formUnion(counts.keys)
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (field, count) in sorted.prefix(50) {
            let rows = count == 1 ? "1 record" : "\(count) records"
            note(.fieldUnread, "the field \"\(field)\" of \(rows) is not read", &result)
        }
        if sorted.count > 50 {
            note(.fieldUnread, "\(sorted.count - 50) more fields are not read", &result)
        }
        guard let first = sorted.first?.key else { return }
        note(
            .fieldUnread,
            "--map reads such a field, as in --map \"explanation=\(first)\", --join adds it to another, as in --join \"stem=\(first)\"",
            &result)
    }

    private func note(_ code: ImportCode, _ message: String, _ result: inout ImportedDrafts) {
        result.note(file, code, message)
    }
}
