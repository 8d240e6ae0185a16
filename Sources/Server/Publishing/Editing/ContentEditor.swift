public import ContentModel

/// An editor of a content folder that reads and replaces single parts, for example for a web page.
///
/// ```swift
/// let editor = try ContentEditor(folder: "content")
/// let part = try editor.read(.question(id: "swift-001", bank: "int/swift"))
/// let change = try part.replaced(by: question.json)
/// guard try editor.check(change).isEmpty else { return }
/// try editor.save(change)
/// ```
public struct ContentEditor: Sendable {
    /// The content folder, without a trailing slash.
    public let folder: String

    /// Opens a content folder.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if it has no `underway.yaml`.
    public init(folder: String) throws {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        try ContentFolder.checkSettings(in: folder)
        self.folder = folder
    }

    /// Reads a part; costs a scan of the folder, and reading the files of one bank.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if the part does not exist, `contentErrors` if its file cannot be
    ///   parsed, `unreadable`.
    public func read(_ name: ContentPartName) throws -> ContentPart {
        let found: ContentPart? =
            switch name {
            case .question(let id, let bank): try question(id, bank, name)
            case .announcement(let identifier): try announcement(identifier, name)
            case .asset(let path): try asset(path, name)
            }
        guard let found else {
            throw PublishingError(.noSuchContent, "\(folder) has no \(name.words).")
        }
        return found
    }

    /// Checks the unit of the changed file: its exam, its language, all assets or all announcements.
    ///
    /// - Returns: Errors and warnings, sorted, including those that existed before the change.
    /// - Throws: `PublishingError` if the folder is unreadable.
    public func check(_ change: ContentChange) throws -> [Problem] {
        let content = try ContentFolder(root: folder)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try content.settings(report: report)
        guard let unit = content.units.first(where: { $0.has(change.file) }) else {
            throw PublishingError(.noSuchContent, "\(folder) has no file \(change.file).")
        }
        var builder = UnitBuilder(root: folder, settings: settings ?? .fallback)
        builder.edited = [change.file: change.bytes]
        return try builder.build(unit).problems.sorted()
    }

    /// Saves a change: the file is replaced atomically and synced to disk.
    ///
    /// - Throws: `PublishingError` `drift` if the file changed since the part was read (read it again), `busy` while
    ///   another change is being saved (retry), `unwritable`.
    public func save(_ change: ContentChange) throws {
        try save(change.bytes, to: change.file, before: change.before)
    }

    /// Saves the bytes of a file; `before` is `nil` for one that must not exist yet.
    func save(_ bytes: [UInt8], to file: String, before: Checksum?) throws {
        let lock = try lock()
        try withExtendedLifetime(lock) {
            let path = folder + "/" + file
            let present = Files.look(path) == nil ? nil : Checksum(of: try Files.read(path))
            guard present == before else {
                throw PublishingError(
                    .drift,
                    "\(file) changed since it was read. Nothing was saved; read it again.")
            }
            try OutputFile.write(bytes, to: path)
            try Files.sync(path)
        }
    }

    /// Locks the folder against other editors while a file is compared and replaced.
    private func lock() throws -> FolderLock {
        do {
            return try FolderLock(folder + "/" + FolderSettings.fileName)
        } catch let error as PublishingError where error.code == .busy {
            throw PublishingError(.busy, "Another change of \(folder) is being saved. Try again.")
        }
    }

    // MARK: Finding

    private func question(
        _ id: String, _ bank: String, _ name: ContentPartName
    ) throws -> ContentPart? {
        for source in try bankSources(bank) where source.hasQuestions {
            let text = try text(source)
            let isList = if case .array = text.root.content { true } else { false }
            let head: [DocumentStep] = isList ? [] : [.member("questions")]
            guard case .array(let questions)? = text.root.node(at: head)?.content else { continue }
            let index = questions.firstIndex { $0.member("id")?.value.value == .string(id) }
            guard let index else { continue }
            return part(name, text, at: head + [.element(index)])
        }
        return nil
    }

    private func announcement(
        _ identifier: Int, _ name: ContentPartName
    ) throws -> ContentPart? {
        for source in try sources(.announcements, "") {
            // A file that cannot be parsed must not hide the others; `check` reports it.
            guard let text = try? text(source),
                text.root.member("identifier")?.value.value == .integer(identifier)
            else { continue }
            return part(name, text, at: [])
        }
        return nil
    }

    private func asset(_ path: String, _ name: ContentPartName) throws -> ContentPart? {
        let sources = try sources(.assets, "")
        guard let source = sources.first(where: { $0.path == "assets/" + path }) else { return nil }
        if source.isDocument, let text = try? text(source) { return part(name, text, at: []) }
        return ContentPart(
            name: name, file: source.path, fileBytes: try Files.read(folder + "/" + source.path),
            position: .start, value: nil, path: [])
    }

    private func bankSources(_ bank: String) throws -> [SourceFile] {
        let step: PublishStep = bank.contains("/") ? .exams : .blueprints
        let banks = try ContentFolder(root: folder).units.filter { $0.step == step }
        guard let found = banks.first(where: { $0.name == bank }) else {
            let names = banks.map(\.name).sorted().prefix(20).joined(separator: ", ")
            throw PublishingError(
                .noSuchContent,
                "\(folder) has no \(step == .exams ? "exam" : "placement test") \(bank)."
                    + (banks.isEmpty
                        ? "" : " It has \(names)\(banks.count > 20 ? " and more" : "")."))
        }
        return found.sources
    }

    private func sources(_ step: PublishStep, _ name: String) throws -> [SourceFile] {
        try ContentFolder(root: folder).units.first { $0.step == step && $0.name == name }?.sources
            ?? []
    }

    private func text(_ source: SourceFile) throws -> SourceText {
        let bytes = try Files.read(
            folder + "/" + source.path, limit: ContentLimits.documentBytesMax)
        return try SourceText(bytes, file: source.path)
    }

    private func part(
        _ name: ContentPartName, _ text: SourceText, at path: [DocumentStep]
    ) -> ContentPart? {
        text.root.node(at: path).map { node in
            ContentPart(
                name: name, file: text.file, fileBytes: text.bytes, position: node.position,
                value: node.value, path: path)
        }
    }
}

extension ContentPartName {
    /// The name of the part in error messages.
    fileprivate var words: String {
        switch self {
        case .question(let id, let bank): "question \"\(id)\" in \(bank)"
        case .announcement(let identifier): "announcement \(identifier)"
        case .asset(let path): "asset \"\(path)\""
        }
    }
}

extension ContentUnit {
    fileprivate func has(_ file: String) -> Bool { sources.contains { $0.path == file } }
}

extension SourceFile {
    fileprivate var isDocument: Bool {
        [".yaml", ".yml", ".json"].contains { path.hasSuffix($0) }
    }

    fileprivate var hasQuestions: Bool {
        isDocument && !path.contains("/media/") && !CorrectionsFile.isOne(path)
    }
}
