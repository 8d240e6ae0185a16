public import Foundation

/// Returns the URL of a file in Tests/Fixtures.
public func fixture(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/" + path)
}
