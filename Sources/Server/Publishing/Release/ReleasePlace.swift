import ContentModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The rules for the place of a release directory: a folder of its own, with a release in it or empty.
struct ReleasePlace {
    let directory: ReleaseDirectory
    /// The content folder.
    let content: String

    /// - Throws: `PublishingError` `invalidRequest`; nothing was touched then.
    func check() throws {
        try checkApart()
        try checkOwn()
        try checkNoLinks()
    }

    /// Refuses links in the place of the folders of every release.
    ///
    /// - Throws: `PublishingError` `invalidRequest`; nothing was touched then.
    func checkNoLinks() throws {
        try checkNoLinks([
            ".underway", ".underway/temporary", ".underway/pending",
            "changes", "metadata", "objects", "releases", "targets",
        ])
    }

    /// Checks the folders for a removal: those that it walks through must lie in the release.
    ///
    /// - Throws: `PublishingError` `invalidRequest`; nothing was touched then.
    func checkForRemoval() throws {
        try check()
        for folder in ["objects", "releases"] {
            // What cannot be listed is said when it is used.
            try checkNoLinks(
                ((try? Files.names(in: directory.path(folder))) ?? []).map { folder + "/" + $0 })
        }
    }

    /// Refuses links in the place of folders: what lies behind a link is somebody else's.
    ///
    /// - Throws: `PublishingError` `invalidRequest`; nothing was touched then.
    func checkNoLinks(_ folders: [String]) throws {
        for folder in folders where Files.look(directory.path(folder))?.kind == .link {
            throw PublishingError(
                .invalidRequest,
                "\(directory.path(folder)) is a link, which is not followed: what it leads to may not"
                    + " belong to the release. Put a folder there.")
        }
    }

    /// Requires a place apart: a release in the content folder, or around it, would be taken for content, served with
    /// its sources, and lost with either.
    private func checkApart() throws {
        let (release, content) = (Self.resolved(directory.root), Self.resolved(content))
        guard Self.holds(release, content) || Self.holds(content, release) else { return }
        // A hidden folder is no content, and what is for development alone is never served to users.
        let below = release.dropFirst(content.count).drop { $0 == "/" }
        if directory.isForDevelopment, Self.holds(content, release), below.hasPrefix(".") { return }
        throw PublishingError(
            .invalidRequest,
            "The release directory \(directory.root) and the content folder \(self.content) must not"
                + " be one folder, nor lie in each other. Name another with --release.")
    }

    /// Checks that the folder is empty or a release directory; other folders are neither filled nor cleaned up.
    private func checkOwn() throws {
        let marks = [".underway", ReleasePath.manifest.text]
        guard marks.allSatisfy({ Files.look(directory.path($0)) == nil }),
            // What cannot be listed is said when it is used; a new volume has a folder of its own.
            let names = try? Files.names(in: directory.root),
            names.contains(where: { $0 != "lost+found" })
        else { return }
        throw PublishingError(
            .invalidRequest,
            "\(directory.root) is no release directory: it has no manifest.json, but other files."
                + " Name an empty or a new folder with --release.")
    }

    /// Returns true for a path within another, both resolved.
    static func holds(_ outer: String, _ inner: String) -> Bool {
        inner == outer || inner.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
    }

    /// Returns the path without links, also of what does not exist yet.
    static func resolved(_ path: String) -> String {
        var (head, missing) = (Substring(path), [Substring]())
        while true {
            if let name = realpath(String(head), nil) {
                defer { free(name) }
                let found = String(cString: name)
                guard !missing.isEmpty else { return found }
                return missing.reduce(found == "/" ? "" : found) { $0 + "/" + $1 }
            }
            guard head != ".", head != "/" else { return path }
            guard let slash = head.lastIndex(of: "/") else {
                missing.insert(head, at: 0)
                head = "."
                continue
            }
            let name = head[head.index(after: slash)...]
            if !name.isEmpty { missing.insert(name, at: 0) }
            head = slash == head.startIndex ? "/" : head[..<slash]
        }
    }
}
