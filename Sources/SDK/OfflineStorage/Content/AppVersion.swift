package import Foundation

/// The version of the program that opens a store.
///
/// A new version retries the documents that an older version refused, so the text must change with every build that
/// users install.
///
/// ```swift
/// print(AppVersion.ofMainBundle)
/// ```
public enum AppVersion {
    /// The default version of the app: that of the main bundle.
    ///
    /// ```
    /// 1.4 (312)                    CFBundleShortVersionString (CFBundleVersion)
    /// underway 135698424 1763790   a program without them: name, bytes and time of its executable
    /// ```
    public static let ofMainBundle = of(Bundle.main)

    /// Returns the version of a bundle, by the same rule.
    package static func of(_ bundle: Bundle) -> String {
        let build = bundle.object(forInfoDictionaryKey: "CFBundleVersion") as? String
        let version = bundle.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        switch (version, build) {
        case (let version?, let build?): return "\(version) (\(build))"
        case (let only?, nil), (nil, let only?): return only
        case (nil, nil): return executable(bundle.executableURL)
        }
    }

    private static func executable(_ file: URL?) -> String {
        guard let file,
            // A program that cannot see itself has a version that never changes.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        else { return "unknown" }
        let bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
        let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(file.lastPathComponent) \(bytes) \(Int(changed))"
    }
}
