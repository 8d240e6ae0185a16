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
    ///   - records: The records.
    ///   - fixed: The form of the texts where the format fixes it.
    ///   - result: The result.
    /// - Throws: ``ImportError`` for keys that count from 0 and from 1.
    func read(
        _ records: [RawRecord], form fixed: SourceTextForm? = nil, into result: inout ImportedDrafts
    ) throws(ImportError) {
        let plain = records.map {
            MappedRecord($0.fields, settings, place: $0.place)
        }
        let form =
            fixed ?? settings.textForm ?? SourceTextForm(deciding: plain.lazy.flatMap(\.texts))
        if fixed == nil, settings.textForm == nil, let said = form.note(plain.lazy.flatMap(\.texts))
        {
            note(said, &result)
        }
        let numbering = try KeyNumbering(
            plain.compactMap(\.keyNumbers), chosen: settings.keys?.first, file: file)
        for note in numbering.notes { self.note(note, &result) }
        let readings = KeyReadings(
            records.flatMap {
                MappedRecord($0.fields, settings, place: $0.place, form: form).keyFits
            }, chosen: settings.keys?.reading)
        var drafts: [(record: RawRecord, outcome: Result<QuestionDraft, SkipReason>)] = []
        for record in records {
            let mapped = MappedRecord(
                record.fields, settings, place: record.place, form: form,
                numbering: numbering, readings: readings)
            drafts.append((record, mapped.draft()))
        }
        // The reasons of the others are said below.
        let read = drafts.compactMap { try? $0.outcome.get() }
        for case (let record, .failure(let reason)) in drafts where read.isEmpty && reason.isOpenKey
        {
            throw ImportError(
                file, "has no question whose key can be read: at \(record.place), \(reason.text)")
        }
        let letters = LettersInOptions(read)
        for (record, outcome) in drafts {
            switch outcome {
            case .success(var draft):
                letters.apply(to: &draft)
                record.finish(&draft)
                result.add(draft)
            case .failure(let reason): result.skip(record.place, reason.text)
            }
        }
        if let said = letters.note { note(said, &result) }
        noteUnread(plain, &result)
        noteAbsent(plain, &result)
    }

    /// Names the fields that the user named and no record has.
    private func noteAbsent(_ records: [MappedRecord], _ result: inout ImportedDrafts) {
        var absent = Set(settings.mapping.values).union(settings.joins.values.joined())
        for record in records where !absent.isEmpty { absent.subtract(record.fields.keys) }
        for name in absent.sorted() {
            note("there is no field \"\(name)\", which --map or --join names", &result)
        }
    }

    /// Lists the fields of which nothing was read, each once with its count.
    private func noteUnread(_ records: [MappedRecord], _ result: inout ImportedDrafts) {
        var counts: [String: Int] = [:]
        for record in records {
            for field in record.unreadFields { counts[field, default: 0] += 1 }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (field, count) in sorted.prefix(50) {
            let rows = count == 1 ? "1 record" : "\(count) records"
            note("the field \"\(field)\" of \(rows) is not read", &result)
        }
        if sorted.count > 50 { note("\(sorted.count - 50) more fields are not read", &result) }
        guard let first = sorted.first?.key else { return }
        note(
            "--map reads such a field, as in --map \"explanation=\(first)\", --join adds it to another, as in --join \"stem=\(first)\"",
            &result)
    }

    private func note(_ message: String, _ result: inout ImportedDrafts) {
        result.notes.append(.init(place: file, message: message))
    }
}
