import ContentModel

/// Brings edits of served files back into the content folder.
struct Adoption {
    let root: String
    let directory: ReleaseDirectory

    /// Writes the edit into the source that the served file was made from.
    ///
    /// - Returns: The source, relative to the content folder.
    /// - Throws: `PublishingError` when the edit cannot be brought back; nothing is written then.
    func adopt(_ file: DriftedFile, unit: ContentUnit?) throws -> String {
        let bytes = try Files.read(directory.path(file.path))
        guard let unit else { throw impossible(file, "its source no longer exists") }
        if let source = verbatimSource(of: file.path, unit: unit) {
            return try put(bytes, at: source)
        }
        switch unit.step {
        case .blueprints:
            return try adoptTest(try Blueprint(released: bytes, file: file.path), unit)
        case .localizations:
            let report = DecodingReport(file: file.path, strictness: .released)
            let node = SourceDocument.parse(bytes, report: report)
            let texts = try report.result(
                node.flatMap { Localization.read($0, report: report) })
            return try write(texts.json, to: unit.sources[0].path)
        case .exams:
            return try adoptExam(try Blueprint(released: bytes, file: file.path), file, unit)
        case .audio, .assets, .announcements:
            throw impossible(file, "it is made from several sources")
        }
    }

    /// Returns the source of a file that is published as it is.
    private func verbatimSource(of served: String, unit: ContentUnit) -> String? {
        guard case .readable(let kind, let key, let name)? = ReleasePath(served)?.target else {
            return nil
        }
        let source: String? =
            switch kind {
            case .audio: "languages/\(key)/audio/\(name)"
            case .media: "exams/\(key)/media/\(name)"
            case .asset: served
            case .blueprint, .exam, .localization, .announcements: nil
            }
        return unit.sources.map(\.path).first { $0 == source }
    }

    /// Writes a placement test back, and its corrections to their own file.
    private func adoptTest(_ edited: Blueprint, _ unit: ContentUnit) throws -> String {
        try adoptCorrections(edited, unit)
        var test = edited
        test.corrections = []
        return try write(test.json, to: unit.sources[0].path)
    }

    /// Writes corrections back, if they were edited: all of them to the bank's own file of corrections.
    private func adoptCorrections(_ edited: Blueprint, _ unit: ContentUnit) throws {
        let path = CorrectionsFile.path(of: unit.name)
        var current = edited
        current.corrections = []
        if let source = unit.sources.first(where: { $0.path == path }) {
            let report = DecodingReport(file: path, strictness: .authored)
            SourceDocument.parse(try Files.read(root + "/" + source.path), report: report)
                .map { current.addCorrections($0, report: report) }
        }
        guard current.corrections != edited.corrections else { return }
        _ = try write(.array(edited.corrections.map(\.json)), to: path)
    }

    /// Writes the questions of an exam back, each to the file that it came from.
    private func adoptExam(
        _ edited: Blueprint, _ file: DriftedFile, _ unit: ContentUnit
    ) throws -> String {
        let folder = "exams/\(unit.name)/"
        let files = unit.sources.map(\.path).filter { $0.hasPrefix(folder + "questions") }
        guard let first = files.first else { throw impossible(file, "it has no source") }
        guard files.count == 1 else {
            throw impossible(
                file, "its questions come from \(files.count) files; edit them by hand")
        }
        try adoptCorrections(edited, unit)
        let headPath = folder + "exam.yaml"
        let report = DecodingReport(file: headPath, strictness: .authored)
        let current = SourceDocument.parse(try Files.read(root + "/" + headPath), report: report)
            .flatMap { Blueprint.readExam($0, id: unit.name, report: report) }
        // The release says the form of each question, and the author that of all.
        let form = current?.textForm ?? .plain
        _ = try write(.array(edited.questions.map { $0.json(inBankOf: form) }), to: first)
        var head = edited.json
        if case .object(var members) = head {
            for key in ["questions", "id", "kind", "corrections"] { members[key] = nil }
            members["text"] = form == .plain ? nil : .string(form.rawValue)
            head = .object(members)
        }
        var expected = edited
        expected.questions = []
        expected.corrections = []
        expected.textForm = form
        if current != expected { _ = try write(head, to: headPath) }
        return first
    }

    /// Writes a value in the format that the file's ending names.
    ///
    /// Comments are not kept.
    private func write(_ value: JSONValue, to source: String) throws -> String {
        let text = source.hasSuffix(".json") ? value.prettyText : try YAMLText.text(value)
        return try put(Array(text.utf8), at: source)
    }

    /// Replaces a source, and removes what a killed run left beside it.
    private func put(_ bytes: [UInt8], at source: String) throws -> String {
        let path = root + "/" + source
        if let slash = path.lastIndex(of: "/") {
            Files.removeTemporaries(in: String(path[..<slash]))
        }
        try Files.replace(path, bytes)
        return source
    }

    private func impossible(_ file: DriftedFile, _ reason: String) -> PublishingError {
        PublishingError(
            .drift,
            "The edit of \(file.path) cannot be adopted: \(reason)."
                + " `--overwrite` discards it.")
    }
}
