import ContentModel

extension SyncOutcome {
    /// Returns the outcome of a run, given the refusals before and after it.
    ///
    /// - Parameters:
    ///   - before: The refusals before the run.
    ///   - after: The refusals now.
    ///   - unlistedCount: The number of further documents that are refused now.
    ///   - release: The installed release.
    /// - Returns: Never `upToDate` while something newer was refused, nor `repaired` for documents that
    ///   were only retried.
    func considering(
        before: [RefusedDocument], after: [RefusedDocument], unlistedCount: Int = 0, release: Int
    ) -> SyncOutcome {
        switch self {
        case .upToDate:
            return after.isEmpty ? self : .refused(Self.error(after, unlistedCount))
        case .repaired(let documents):
            let remaining = Set(after.map(Self.name))
            let tried = before.filter(\.isTriedAgain)
            let accepted = tried.filter { !remaining.contains(Self.name($0)) }
            guard accepted.isEmpty else { return .installed(release: release) }
            let triedInVain = tried.count { $0.checksum != nil }
            if documents > triedInVain { return .repaired(documents: documents - triedInVain) }
            return SyncOutcome.upToDate.considering(
                before: [], after: after, unlistedCount: unlistedCount, release: release)
        default:
            return self
        }
    }

    private static func name(_ document: RefusedDocument) -> String {
        "\(document.kind?.rawValue ?? "")/\(document.key)"
    }

    private static func error(_ refused: [RefusedDocument], _ unlistedCount: Int) -> SyncError {
        let first = refused.first.map { "\($0)" } ?? ""
        let count = refused.count - 1 + unlistedCount
        let more = count > 0 ? " (and \(count) more)" : ""
        return refused.first?.isTriedAgain == true
            ? SyncError(
                .undelivered,
                "Parts of the release are missing, and the next sync tries again: \(first)\(more)")
            : SyncError(
                .unreadable,
                "Update the app: this version cannot read the \(first)\(more)")
    }
}
