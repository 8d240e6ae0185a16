import ContentModel
package import Foundation
import WebTransfer

/// A client for theupdateframework/tuf-conformance: files, one HTTP host, and the workflow of ``ContentModel``.
package struct ConformanceClient: Sendable {
    private let arguments: ConformanceArguments
    private let folder: MetadataFolder
    private let session = TransferSession(
        userAgent: "underway-conformance", idleTimeout: 30, allowsInsecureHTTP: false)
    private let now: Date

    /// Reads the command line; `nil` when it is not one of the suite.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - now: The time of the update.
    package init?(_ arguments: [String], now: Date) {
        guard let arguments = ConformanceArguments(arguments) else { return nil }
        self.arguments = arguments
        self.now = now
        folder = MetadataFolder(arguments.metadataFolder)
    }

    /// Runs the command.
    ///
    /// - Throws: What went wrong; what was trusted before that is stored.
    package func run() async throws {
        switch arguments.command {
        case "init": try start()
        case "refresh": _ = try await refresh()
        case "download":
            var trusted = try await refresh()
            for path in arguments.targets { trusted = try await download(path, trusted) }
        default: throw ConformanceError("There is no command \"\(arguments.command)\".")
        }
    }

    /// Stores the root, if it is one.
    private func start() throws {
        let file = URL(filePath: arguments.file ?? "")
        let root = Array(try Data(contentsOf: file))
        try folder.save(
            TrustedMetadata(root: root, verifiers: .conformance, hashes: .conformance))
    }

    private func refresh() async throws -> TrustedMetadata {
        let stored = try folder.load(verifiers: .conformance, hashes: .conformance)
        var update = MetadataUpdate(stored, startedAt: now)
        while let request = update.request {
            if let bytes = try await fetch(request) {
                try update.received(bytes)
            } else {
                try update.notFound()
            }
            try folder.save(update.trusted)
        }
        return update.trusted
    }

    /// Finds and fetches one target, unless its file is there already.
    private func download(
        _ path: String, _ trusted: TrustedMetadata
    ) async throws -> TrustedMetadata {
        var search = try TargetSearch(path, in: trusted, startedAt: now)
        while let request = search.request {
            guard let bytes = try await fetch(request) else {
                throw ConformanceError("The host does not have \(request.path).")
            }
            try search.received(bytes)
            try folder.save(search.trusted)
        }
        guard let target = search.result else {
            throw ConformanceError("No role has \(path).")
        }
        let file = URL(filePath: arguments.targetFolder, directoryHint: .isDirectory)
            .appending(path: path.percentEncodedPart)
        if isWhole(file, target) { return search.trusted }
        let bytes = try await fetch(target, trusted)
        try target.check(bytes, by: trusted.hashes)
        try Data(bytes).write(to: file, options: .atomic)
        return search.trusted
    }

    private func isWhole(_ file: URL, _ target: TargetFile) -> Bool {
        // A file that is missing or another one is fetched.
        guard let stored = try? Data(contentsOf: file) else { return false }
        return (try? target.check(Array(stored), by: .conformance)) != nil
    }

    private func fetch(
        _ target: TargetFile, _ trusted: TrustedMetadata
    ) async throws -> [UInt8] {
        guard
            let location = target.location(
                hasConsistentSnapshots: trusted.hasConsistentSnapshots, by: trusted.hashes)
        else { throw ConformanceError("No hash of \(target.path) is known.") }
        let url = arguments.targetURL + location
        guard let bytes = try await fetch(url, bytesMax: target.length) else {
            throw ConformanceError("The host does not have \(url).")
        }
        return bytes
    }

    private func fetch(_ request: MetadataRequest) async throws -> [UInt8]? {
        try await fetch(arguments.metadataURL + request.path, bytesMax: request.bytesMax)
    }

    /// Fetches a file; `nil` when the host does not have it.
    private func fetch(_ url: String, bytesMax: Int) async throws -> [UInt8]? {
        let response = try await session.send(TransferRequest(url: url, bodyBytesMax: bytesMax))
        switch response.head.status {
        case 200: return try await response.body.collect()
        case 403, 404: return nil
        default: throw ConformanceError("\(url) was answered by \(response.head.status).")
        }
    }
}
