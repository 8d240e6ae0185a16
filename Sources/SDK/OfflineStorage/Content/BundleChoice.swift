package import ContentModel
package import Foundation
import ServiceAPI

extension Manifest {
    /// The time at which the release was built; `nil` if it is missing or cannot be read.
    package var builtAt: Date? {
        generatedAt.flatMap { text in
            // One of the two forms of RFC 3339 mostly fits; a time that is none is allowed.
            (try? Date(text, strategy: .iso8601))
                ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
        }
    }
}

/// The rule by which an app's bundle replaces the installed release.
///
/// Numbers alone do not suffice: a recreated release folder begins at 1 again, and two folders may have the same
/// number.
///
/// | both have build times | the bundle is newer when |
/// |---|---|
/// | yes, which differ | it was built later |
/// | otherwise, from the same host or without a host | its number is higher |
/// | otherwise, from different hosts | always: the app has moved |
enum BundleChoice {
    static func isNewer(_ bundle: Manifest, than installed: Manifest, now: Date) -> Bool {
        let latest = now + ServiceLimits.clockToleranceSeconds
        if let built = bundle.builtAt, let before = installed.builtAt, built != before,
            max(built, before) <= latest
        {
            return built > before
        }
        if let host = bundle.contentBaseURL, let other = installed.contentBaseURL, host != other {
            return true
        }
        return bundle.release > installed.release
    }
}
