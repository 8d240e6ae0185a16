import ContentModel

extension SyncOutcome {
    /// What is true of a run that ended like this, given what was refused before it and is now.
    ///
    /// - Returns: Never `upToDate` while something newer was refused, nor `repaired` for documents that
    ///   were only tried again.
    func considering(
        before: [RefusedDocument], after: [RefusedDocument], release: Int
    ) -> SyncOutcome {
        switch self {
        case .upToDate:
            return after.isEmpty ? self : .refused(reason: Self.reason(after))
        case .repaired(let documents):
            let remaining = Set(after.map(Self.name))
            let tried = before.filter(\.isTriedAgain)
            let taken = tried.filter { !remaining.contains(Self.name($0)) }
            guard taken.isEmpty else { return .installed(release: release) }
            let triedInVain = tried.count { $0.checksum != nil }
            if documents > triedInVain { return .repaired(documents: documents - triedInVain) }
            return SyncOutcome.upToDate.considering(before: [], after: after, release: release)
        default:
            return self
        }
    }

    private static func name(_ document: RefusedDocument) -> String {
        "\(document.kind?.rawValue ?? "")/\(document.key)"
    }

    private static func reason(_ refused: [RefusedDocument]) -> String {
        let first = refused.first.map { "\($0)" } ?? ""
        let more = refused.count > 1 ? " (and \(refused.count - 1) more)" : ""
        return refused.first?.isTriedAgain == true
            ? "Not all of the release is here yet: \(first)\(more)"
            : "This version of the app cannot read the \(first)\(more)"
    }
}
