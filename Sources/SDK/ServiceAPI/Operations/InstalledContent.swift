/// The installed content of a device, which it reports to the server with each exchange.
///
/// It is a field of the request's head, not a part of the exchange: a server that does not support it ignores it, and a
/// repeated exchange remains equal.
///
/// ```
/// Underway-Content: release=17, obstacle=storage
/// ```
public struct InstalledContent: Sendable, Hashable {
    /// The name of the field, in lowercase.
    public static let fieldName = "underway-content"
    /// The maximum length of a field that is parsed, in bytes.
    static let fieldBytesMax = 128

    /// The number of the installed release; 0 for a device without any content.
    public var release: Int
    /// The reason why the device does not follow releases; `nil` for one that does.
    public var obstacle: Obstacle?

    /// Creates a report.
    public init(release: Int, obstacle: Obstacle? = nil) {
        self.release = release
        self.obstacle = obstacle
    }

    /// The value of the field.
    public var field: String {
        "release=\(release)" + (obstacle.map { ", obstacle=\($0.rawValue)" } ?? "")
    }

    /// Parses the value of a field; `nil` for a malformed one, which counts as no field.
    ///
    /// Members of later versions are ignored, and an unknown obstacle becomes ``Obstacle/other``.
    public init?(field: String) {
        guard field.utf8.count <= Self.fieldBytesMax else { return nil }
        var members: [Substring: Substring] = [:]
        for member in field.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            members[parts[0].trimmed] = parts[1].trimmed
        }
        guard let text = members["release"], text.utf8.count <= 15,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let release = Int(text)
        else { return nil }
        self.init(
            release: release,
            obstacle: members["obstacle"].map { Obstacle(rawValue: String($0)) ?? .other })
    }
}

extension InstalledContent {
    /// A reason why a device does not have the newest release: a closed set, so that no device can invent labels.
    public enum Obstacle: String, Sendable, Hashable, CaseIterable {
        /// The host of the content did not reply, or only with errors.
        case unreachable
        /// The user must sign in to the network first.
        case captivePortal
        /// A metered or constrained network that the app does not use for content.
        case networkNotAllowed
        /// Bytes whose checksum is not that of the manifest.
        case damagedDownload
        /// A manifest that is not valid.
        case badManifest
        /// Content that is not signed by keys of the pinned root, or signed metadata that is older than before.
        case untrusted
        /// Signatures that have expired: signing has stopped, the host is frozen, or a clock is wrong.
        case expired
        /// The host offers an older release than the installed one.
        case olderRelease
        /// A rollout of the release that has not reached the device.
        case rollout
        /// Content that needs a newer app.
        case outdatedApp
        /// The app's own check refused the release.
        case vetoed
        /// The release was banned: it was refused, or the app crashed with it.
        case banned
        /// The device cannot store anything.
        case storage
        /// Any other reason.
        case other
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return rest[...last]
    }
}
