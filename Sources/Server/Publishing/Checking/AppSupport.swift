import ContentModel

/// The shipped versions of the app for which content is checked, and what follows where one cannot read it.
struct AppSupport: Hashable, Sendable {
    /// The severity of content that a declared version rejects or leaves out.
    enum Policy: String, Hashable, Sendable, CaseIterable {
        /// An error, which prevents publishing.
        case refuse
        /// A warning.
        case warn
    }

    /// The maximum number of profiles.
    static let profilesMax = 64

    /// The profiles, in the order of their declaration.
    private(set) var profiles: [DecoderProfile] = []
    /// The severity of such content.
    var policy = Policy.refuse
    /// The files and folders that the settings name, with their places in the settings.
    private var named: [NamedFile] = []

    private struct NamedFile: Hashable, Sendable {
        var path: String
        var position: SourcePosition
    }

    /// The profiles of readers that know less than that of this version: only these can find something.
    var restricting: [DecoderProfile] { profiles.filter(\.isRestricting) }

    /// Returns the same without the versions that do not take a release: those that its rollout excludes, and that know
    /// rollouts.
    func taking(_ rollout: Rollout?) -> AppSupport {
        guard let rollout else { return self }
        var support = self
        support.profiles.removeAll {
            // A profile that was written by hand may not mention it.
            $0.fields[DocumentShape.manifest.rawValue]?.contains("rollout") == true
                && rollout.known(to: $0).excludes(appVersion: $0.appVersion)
        }
        return support
    }

    /// The checksum of everything that changes what is found; `nil` without profiles.
    var checksum: Checksum? {
        guard !profiles.isEmpty else { return nil }
        let json: JSONValue = [
            "profiles": .array(profiles.map(\.json)), "policy": .string(policy.rawValue),
        ]
        return Checksum(of: json.canonicalBytes)
    }
}

extension AppSupport {
    /// Reads the settings `supports` and `unsupported`; `load` then reads the files.
    static func read(_ reader: ObjectReader) -> AppSupport {
        var support = AppSupport()
        for node in reader.array("supports") ?? [] {
            guard case .string(let path) = node.content else {
                reader.report.note(
                    .wrongType, at: node.position,
                    "\"supports\" lists files of profiles, found \(node.kindName)")
                continue
            }
            support.named.append(NamedFile(path: path, position: node.position))
        }
        let policy = reader.value("unsupported", "refuse or warn", Policy.init(rawValue:))
        if let policy { support.policy = policy }
        return support
    }

    /// Reads the files that the settings name, relative to the content folder.
    ///
    /// - Parameters:
    ///   - root: The content folder.
    ///   - report: The report about the settings, which receives the problems of the files too.
    /// - Throws: `PublishingError` `unreadable` for a file that is there and cannot be read.
    mutating func load(root: String, report: DecodingReport) throws {
        for file in named {
            let (path, position) = (file.path, file.position)
            let name = path.hasSuffix("/") ? String(path.dropLast()) : path
            guard ContentPath(name) != nil else {
                report.note(
                    .unsafePath, at: position, "\"\(path)\" is not a safe path in this folder",
                    hint: "Name a file below the content folder, such as profiles/1.0.json.")
                continue
            }
            for problem in try add(root + "/" + name, as: name, namedAt: position, in: report.file)
            {
                report.note(problem)
            }
        }
    }

    /// Adds the profiles of files and folders outside of the settings.
    ///
    /// - Parameter paths: Files, or folders of `.json` files.
    /// - Returns: What is wrong with them.
    /// - Throws: `PublishingError` `unreadable` for a file that is there and cannot be read.
    mutating func add(_ paths: [String]) throws -> [Problem] {
        try paths.flatMap { try add($0, as: $0, namedAt: .start, in: $0) }
    }

    private mutating func add(
        _ path: String, as name: String, namedAt position: SourcePosition, in namer: String
    ) throws -> [Problem] {
        switch Files.look(path)?.kind {
        case .file: return try addFile(path, as: name)
        case .folder:
            let files = try Files.names(in: path).filter { $0.hasSuffix(".json") }.sorted()
            if files.isEmpty { break }
            return try files.flatMap { try addFile(path + "/" + $0, as: name + "/" + $0) }
        case .link, .other, nil: break
        }
        return [
            Problem(
                .missingFile, file: namer, position: position,
                message: "there is no profile \"\(name)\"",
                hint: "A test of that version of the app writes it, see docs/app-developers.md.")
        ]
    }

    private mutating func addFile(_ path: String, as name: String) throws -> [Problem] {
        guard profiles.count < Self.profilesMax else {
            return [
                Problem(
                    .limitExceeded, file: name,
                    message: "there are more than \(Self.profilesMax) profiles",
                    hint: "Remove those of versions that nobody uses any more.")
            ]
        }
        if let size = Files.look(path)?.stamp.size, size > DecoderProfile.bytesMax {
            return [
                Problem(
                    .limitExceeded, file: name,
                    message: "the file has \(size) bytes; a profile has at most"
                        + " \(DecoderProfile.bytesMax)",
                    hint: "Name the file that a test of the app has written.")
            ]
        }
        let bytes = try Files.read(path, limit: DecoderProfile.bytesMax)
        do throws(ContentError) {
            let profile = try DecoderProfile(bytes, file: name)
            if let other = profiles.first(where: { $0.appVersion == profile.appVersion }) {
                // The same profile may be named by the settings and by the command.
                if other == profile { return [] }
                return [
                    Problem(
                        .duplicateIdentifier, file: name,
                        message: "another profile is that of app \(profile.appVersion) too",
                        hint: "Keep one of the two.")
                ]
            }
            profiles.append(profile)
            return []
        } catch {
            return error.problems
        }
    }
}

extension Rollout {
    /// Returns the rollout as a version sees it that may not know its bounds.
    fileprivate func known(to profile: DecoderProfile) -> Rollout {
        var rollout = self
        if !profile.knows("minimumAppVersion", of: .rollout) { rollout.minimumAppVersion = nil }
        if !profile.knows("maximumAppVersion", of: .rollout) { rollout.maximumAppVersion = nil }
        return rollout
    }
}
