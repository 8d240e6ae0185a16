public import ContentModel
public import Foundation

/// The failure of a test that compares an app's profile with its file.
///
/// ```swift
/// do {
///     try DecoderProfile.current(appVersion: "2.1").verify(recordedAt: url)
/// } catch let error as ProfileRecordError where error.code == .written {
///     print("Add the file to the repository: \(error)")
/// }
/// ```
public typealias ProfileRecordError = CodedError<ProfileRecordErrorCode>

/// The kind of an error: an open set, so a `switch` over it needs a `default`.
public struct ProfileRecordErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file was missing and has been written with the profile; the next run succeeds.
    public static let written = Self(rawValue: "written")
    /// The file has a different profile.
    public static let differs = Self(rawValue: "differs")
}

extension DecoderProfile {
    /// Compares the profile with the one in a file of the app's repository, and writes the file if it is missing.
    ///
    /// Call it in a test, with the version that the app ships next. The file then records what that version can read,
    /// and authors check content against it (`underway check --supports`).
    ///
    /// ```swift
    /// let file = URL(filePath: #filePath).appending(path: "../../../profiles/2.1.json")
    /// try DecoderProfile.current(appVersion: "2.1").verify(recordedAt: file)
    /// ```
    ///
    /// - Parameter file: The file, named after the version.
    /// - Throws: `ProfileRecordError` `written` when the file was missing: add the new one to the repository; `differs`
    ///   when the file has another profile: its message names the differences and what to do. `ContentError` for a file
    ///   that is no profile, or an error of the file system.
    public func verify(recordedAt file: URL) throws {
        let file = file.standardizedFileURL
        guard FileManager.default.fileExists(atPath: file.path) else {
            let bytes = Array(text.utf8)
            // A version that no reader of profiles accepts is not written.
            _ = try DecoderProfile(bytes, file: file.lastPathComponent)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            throw ProfileRecordError(
                .written,
                "\(file.path) was written. Add it to the repository; the next run succeeds.")
        }
        let recorded = try DecoderProfile(
            [UInt8](try Data(contentsOf: file)), file: file.lastPathComponent)
        guard self != recorded else { return }
        throw ProfileRecordError(
            .differs,
            "\(file.path) does not say what this build can read:"
                + " \(differences(from: recorded).joined(separator: "; "))."
                + " If version \(recorded.appVersion) has shipped, give the app its next version and file;"
                + " else remove the file and run the test again.")
    }
}
