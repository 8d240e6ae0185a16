/// The command line that tuf-conformance calls: options, then a command, then perhaps a file.
struct ConformanceArguments: Sendable {
    /// The folder of trusted metadata.
    var metadataFolder = ""
    /// The address of metadata, with a slash at its end.
    var metadataURL = ""
    /// The paths of the targets to fetch, in their order.
    var targets: [String] = []
    /// The folder of fetched targets.
    var targetFolder = ""
    /// The address of targets, with a slash at its end.
    var targetURL = ""
    /// `init`, `refresh` or `download`.
    var command = ""
    /// What follows the command: the root file of `init`.
    var file: String?

    /// Parses the arguments; `nil` when they are not those of the suite.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                command = word
                file = rest.popFirst()
                return
            }
            guard let value = rest.popFirst() else { return nil }
            switch word {
            case "--metadata-dir": metadataFolder = value
            case "--metadata-url": metadataURL = Self.folder(value)
            case "--target-name": targets.append(value)
            case "--target-dir": targetFolder = value
            case "--target-base-url": targetURL = Self.folder(value)
            default: return nil
            }
        }
        return nil
    }

    private static func folder(_ address: String) -> String {
        address.hasSuffix("/") ? address : address + "/"
    }
}
