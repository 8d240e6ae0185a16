import ContentModel

/// Something in a release that one shipped version of the app does not read.
struct AppFinding {
    /// The consequence for a device with that version.
    enum Consequence: Hashable {
        /// The device rejects the named document and retains its own.
        case refused(String)
        /// The device leaves out the named part.
        case leftOut(String)
        /// The device ignores a field, in a number of places.
        case ignored(IgnoredField, count: Int)
        /// The device does not see parts of the release at all.
        case unseen(String)
    }

    private var key: Key
    private var version: String

    /// Everything that two versions have in common of which one problem names both.
    fileprivate struct Key: Hashable {
        var consequence: Consequence
        var file: String
        var position: SourcePosition
        var reason: String
    }

    /// Describes a finding in a file.
    init(
        _ consequence: Consequence, _ profile: DecoderProfile, file: String,
        position: SourcePosition = .start, reason: String = ""
    ) {
        key = Key(consequence: consequence, file: file, position: position, reason: reason)
        version = profile.appVersion
    }

    /// Describes a finding at a place.
    init(
        _ consequence: Consequence, _ profile: DecoderProfile, _ place: ReleasedPlaces.Place,
        reason: String = ""
    ) {
        self.init(
            consequence, profile, file: place.file, position: place.position, reason: reason)
    }

    /// Returns one problem for each thing that was found, which names all versions that it was found for.
    static func problems(_ findings: [AppFinding], _ policy: AppSupport.Policy) -> [Problem] {
        var versions: [Key: [String]] = [:]
        var order: [Key] = []
        for finding in findings {
            if versions[finding.key] == nil { order.append(finding.key) }
            versions[finding.key, default: []].append(finding.version)
        }
        return order.map { $0.problem(versions[$0] ?? [], policy) }
    }
}

extension AppFinding.Key {
    fileprivate func problem(_ versions: [String], _ policy: AppSupport.Policy) -> Problem {
        let apps = "app " + versions.joined(separator: ", ")
        guard consequence.isSevere else {
            return Problem(
                .partlySupported, file: file, position: position, message: message(apps))
        }
        let remedy =
            "Write it so that \(apps) can read it, or remove the profile once nobody uses that version"
        return Problem(
            policy == .refuse ? .unsupported : .partlySupported, file: file, position: position,
            message: message(apps),
            hint: policy == .refuse ? remedy + "; `unsupported: warn` lets it pass." : remedy + ".")
    }

    private func message(_ apps: String) -> String {
        switch consequence {
        case .refused(let title):
            return "\(title) is refused by \(apps), which keeps what it has: \(reason)"
        case .leftOut(let title): return "\(title) is left out by \(apps): \(reason)"
        case .ignored(let field, _) where field.shape == .manifest && field.field == "rollout":
            return "rollouts are not known to \(apps), which takes the release at once"
        case .ignored(let field, let count):
            let what =
                field.value.map { "the value \"\($0)\" of \"\(field.field)\"" }
                ?? "the field \"\(field.field)\""
            let places = count > 1 ? ", in \(count) places" : ""
            let effect = field.effect.map { ", \($0.rawValue)" } ?? ""
            return "\(what) of \(field.shape.title) is ignored by \(apps)\(effect)\(places)"
        case .unseen(let parts): return "\(apps) sees none of \(parts)"
        }
    }
}

extension AppFinding.Consequence {
    /// True when learners miss something that their author wrote for everybody, or see something wrong.
    fileprivate var isSevere: Bool {
        switch self {
        case .refused, .leftOut: true
        case .ignored(let field, _): field.effect != nil
        case .unseen: false
        }
    }
}

extension IgnoredField {
    /// The wrong behaviour of an app that ignores the field; `nil` if the app only shows less.
    fileprivate var effect: FieldSeverity.Effect? {
        // A value that is not known, as that of an asset's class, is read as another one.
        guard value == nil, case .misleads(let effect) = shape.severity(of: field) else {
            return nil
        }
        return effect
    }
}

extension [IgnoredField] {
    /// The first of the fields with the same name and value, and their number.
    var grouped: [(field: IgnoredField, count: Int)] {
        var groups: [(field: IgnoredField, count: Int)] = []
        var indices: [IgnoredField: Int] = [:]
        for field in self {
            var key = field
            key.position = .start
            if let index = indices[key] {
                groups[index].count += 1
            } else {
                indices[key] = groups.count
                groups.append((field, 1))
            }
        }
        return groups
    }
}
