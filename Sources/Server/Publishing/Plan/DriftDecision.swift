import ContentModel

/// The decision of a command about served files that were edited by hand.
struct DriftDecision: Sendable {
    /// The action for the edits, if any; see `DriftPolicy`.
    enum Action: Sendable {
        case none
        case refuse(PublishingError)
        case adopt([DriftedFile])
        case overwrite
    }

    let action: Action
    /// True when the manifest is one of the edited files, so that a new one is due.
    let replacesManifest: Bool

    /// Decides by the edited files, those of them whose objects were edited too, and those whose bytes are lost.
    init(
        _ edited: [DriftedFile], damaged: [IndexedFile] = [], lost: [IndexedFile] = [],
        policy: DriftPolicy
    ) {
        let manifest = edited.first { $0.unit == nil }
        switch policy {
        case _ where edited.isEmpty: action = .none
        case .refuse: action = .refuse(Self.refusal(edited, damaged: damaged, lost: lost))
        case .overwrite: action = .overwrite
        case .adopt:
            action = manifest.map { .refuse(Self.cannotAdopt($0)) } ?? .adopt(edited)
        }
        replacesManifest = manifest != nil
    }

    private static func refusal(
        _ edited: [DriftedFile], damaged: [IndexedFile], lost: [IndexedFile]
    ) -> PublishingError {
        let names = edited.map { "  " + $0.path }.joined(separator: "\n")
        var text =
            "These served files were edited by hand since they were published:\n\(names)\n"
            + "Copy the edits into the content folder with `--adopt`, or discard them with `--overwrite`."
        if !damaged.isEmpty {
            text +=
                " \(damaged.count) of them were edited in place, which changed the objects that devices"
                + " read; the objects are as published again."
        }
        if !lost.isEmpty {
            text +=
                " But \(lost.map(\.path).sorted().joined(separator: ", ")) can only be made right by"
                + " `--overwrite`: its source is another one by now."
        }
        return PublishingError(.drift, text)
    }

    private static func cannotAdopt(_ file: DriftedFile) -> PublishingError {
        PublishingError(
            .drift,
            "\(file.path) was edited by hand and cannot be adopted, because it is made"
                + " from everything else. `--overwrite` makes it anew.")
    }
}
