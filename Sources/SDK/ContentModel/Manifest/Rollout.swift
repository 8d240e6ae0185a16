/// A rule by which a release reaches only some devices at first: a share of them, and some versions of the app.
///
/// The manifest contains it, so it is signed with the release and needs no service. Each device draws a place at random
/// once, compares it with the share, and never sends it. The other devices have, or get, the previous release
/// (``previous``). A device that has installed a release retains it and gets later ones of the same rollout, even if
/// the share shrinks.
///
/// ```swift
/// let before = Rollout.Previous(release: 6, manifest: Checksum(of: [1]), size: 1)
/// let rollout = Rollout(since: 7, percent: 10, previous: before)
/// print(rollout.obstacle(place: 999, appVersion: "2.1") == nil)   // true: the first tenth of 10,000 places
/// print(rollout.obstacle(place: 1000, appVersion: "2.1") == .share(percent: 10))  // true
/// ```
public struct Rollout: Hashable, Sendable {
    /// The release that the other devices have or get.
    public struct Previous: Hashable, Sendable {
        /// The number of the release.
        public var release: Int
        /// The checksum of its manifest, `releases/<release>/manifest.json`.
        public var manifest: Checksum
        /// The size of its manifest in bytes.
        public var size: Int

        /// Creates a previous release.
        public init(release: Int, manifest: Checksum, size: Int) {
            self.release = release
            self.manifest = manifest
            self.size = size
        }
    }

    /// A reason why a device does not install a release yet.
    public enum Obstacle: Hashable, Sendable {
        /// The rollout is paused: devices without a release of the rollout do not get one.
        case paused
        /// The app is older or newer than the rollout allows, or does not support one of its conditions.
        case appVersion
        /// The share does not include the device's place.
        case share(percent: Int)
    }

    /// The number of places among which a device draws its own.
    static let placeCount = 10_000

    /// The first release of the rollout; for each rollout, devices draw new places.
    public var since: Int
    /// The share of devices, from 0 to 100 percent.
    public var percent: Int
    /// True to pause the rollout: no further devices get the release.
    public var isPaused: Bool
    /// The oldest version of the app that gets it, as `2.1`; `nil` for any.
    public var minimumAppVersion: String?
    /// The newest version of the app that gets it; `nil` for any.
    public var maximumAppVersion: String?
    /// The release of the other devices.
    public var previous: Previous
    /// False when the manifest has a condition that this version does not know; the device then does not get the
    /// release.
    package var isUnderstood = true

    /// Creates a rollout.
    public init(
        since: Int, percent: Int, isPaused: Bool = false, minimumAppVersion: String? = nil,
        maximumAppVersion: String? = nil, previous: Previous
    ) {
        self.since = since
        self.percent = percent
        self.isPaused = isPaused
        self.minimumAppVersion = minimumAppVersion
        self.maximumAppVersion = maximumAppVersion
        self.previous = previous
    }

    /// True when every device gets the release, so the manifest need not contain the rollout.
    public var isComplete: Bool {
        percent >= 100 && !isPaused && minimumAppVersion == nil && maximumAppVersion == nil
            && isUnderstood
    }

    /// Returns the condition of the rollout that a device does not meet.
    ///
    /// - Parameters:
    ///   - place: The device's place in this rollout, from 0 to 9,999 (``place(of:)``); `nil` for a device that already
    ///     has a release of the rollout, and gets later ones.
    ///   - appVersion: The version of its app, as `2.1` or `2.1 (312)`; other text counts as 0.
    /// - Returns: The obstacle; `nil` for a device that gets the release.
    public func obstacle(place: Int?, appVersion: String) -> Obstacle? {
        // A build's number stands behind a space.
        let version = AppVersion(String(appVersion.prefix { $0 != " " }))
        guard isUnderstood, isFor(version) else { return .appVersion }
        guard let place else { return nil }
        guard !isPaused else { return .paused }
        return place < percent * (Self.placeCount / 100) ? nil : .share(percent: percent)
    }

    /// True for a version of the app that does not get the release, regardless of its device's place.
    package func excludes(appVersion: String) -> Bool {
        obstacle(place: nil, appVersion: appVersion) != nil
    }

    private func isFor(_ version: AppVersion) -> Bool {
        if let minimumAppVersion, version < AppVersion(minimumAppVersion) { return false }
        if let maximumAppVersion, AppVersion(maximumAppVersion) < version { return false }
        return true
    }

    /// Returns the place of a device in this rollout: the first 6 bytes of a SHA-256, modulo the number of places.
    ///
    /// A device has the same place throughout a rollout, so a larger share adds devices and loses none. In the next
    /// rollout it has another, so no device is always among the first.
    /// - Parameter seed: The device's random bytes, which never leave it.
    /// - Returns: The place, from 0 to 9,999.
    public func place(of seed: [UInt8]) -> Int {
        let digits = Checksum(of: seed + Array("/\(since)".utf8)).hex.prefix(12)
        let number = Int(digits, radix: 16) ?? 0
        return number % Self.placeCount
    }
}

extension Rollout {
    /// The canonical JSON form.
    ///
    /// The checksum of the previous manifest has no prefix `sha256:`, which marks documents (`ManifestOrdinals`).
    public var json: JSONValue {
        .compact([
            "since": .integer(since), "percent": .integer(percent),
            "paused": isPaused ? .bool(true) : nil,
            "minimumAppVersion": minimumAppVersion.map { .string($0) },
            "maximumAppVersion": maximumAppVersion.map { .string($0) },
            "previous": .object([
                "release": .integer(previous.release), "sha256": .string(previous.manifest.hex),
                "size": .integer(previous.size),
            ]),
        ])
    }

    /// Reads the JSON form; `nil` for anything that a device would not take.
    package init?(json bytes: [UInt8]) {
        let report = DecodingReport(file: "rollout", strictness: .device)
        guard let node = try? JSONParser.parse(bytes),
            let read = try? report.result(Self.read(node, report: report))
        else { return nil }
        self = read
    }

    /// Parses the JSON form of a manifest.
    ///
    /// Unlike other parts it is never omitted: a device that cannot read the rule of a release does not install it.
    static func read(_ node: DocumentNode, report: DecodingReport) -> Rollout? {
        guard let reader = ObjectReader(node, as: .rollout, report: report),
            case .object(let members) = node.content,
            let since = reader.requiredInteger("since"),
            let percent = reader.requiredInteger("percent"),
            let previousNode = reader.requiredNode("previous"),
            let previous = Previous.read(previousNode, report: report)
        else { return nil }
        var rollout = Rollout(
            since: since, percent: percent, isPaused: reader.bool("paused") ?? false,
            minimumAppVersion: reader.string("minimumAppVersion"),
            maximumAppVersion: reader.string("maximumAppVersion"), previous: previous)
        let known = DocumentShape.rollout.fields
        rollout.isUnderstood = members.allSatisfy { known.contains($0.key) }
        if let problem = rollout.problem {
            report.note(.invalidValue, at: node.position, "the rollout \(problem)")
        }
        return rollout
    }

    /// The reason for which a rollout cannot be one, behind "the rollout"; `nil` for one that can.
    package var problem: String? {
        guard (0...100).contains(percent) else { return "cannot have \(percent) percent" }
        guard since > 0, previous.release > 0, previous.release < since else {
            return
                "began with release \(since), before which there is no release \(previous.release)"
        }
        guard (1...ContentLimits.manifestBytesMax).contains(previous.size) else {
            return "names a manifest of \(previous.size) bytes"
        }
        let versions = [minimumAppVersion, maximumAppVersion].compactMap(\.self)
        for version in versions where !AppVersion.isPlain(version) {
            return "names the version \"\(version)\" of an app, which is not numbers and dots"
        }
        guard let minimumAppVersion, let maximumAppVersion,
            AppVersion(maximumAppVersion) < AppVersion(minimumAppVersion)
        else { return nil }
        return "is for no version of the app: \(maximumAppVersion) is before \(minimumAppVersion)"
    }
}

extension Rollout.Previous {
    fileprivate static func read(_ node: DocumentNode, report: DecodingReport) -> Self? {
        guard
            let reader = ObjectReader(node, as: .rolloutPrevious, report: report),
            let release = reader.requiredInteger("release"),
            let size = reader.requiredInteger("size"), reader.requiredNode("sha256") != nil,
            let manifest = reader.value("sha256", "64 hexadecimal digits", { Checksum(hex: $0) })
        else { return nil }
        return Self(release: release, manifest: manifest, size: size)
    }
}
