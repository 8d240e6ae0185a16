import ContentModel
import Foundation
package import Ledger
package import Publishing
import Review

/// The environment of a workflow: an author's folders, and the users' data of their server.
package struct Workplace: Sendable {
    /// The content folder.
    package let content: String
    /// The release directory.
    package let release: String
    /// The folder of the signing keys; `nil` for unsigned releases.
    package let keys: String?
    /// The accounts, roles and proposals; `nil` for work on files only.
    package let users: UserBackend?
    /// True to commit changes of a content folder that is in a git repository.
    package var commits = true
    /// The threads for file access and git.
    package var threads: any BlockingThreads = CallingThread()
    /// A function that is called after each completed step; an error stops the workflow there, as a crash does.
    package var reached: @Sendable (WorkflowStep) throws -> Void = { _ in }

    /// Creates an environment of the folders and the data.
    package init(
        content: String, release: String, keys: String? = nil, users: UserBackend? = nil
    ) {
        (self.content, self.release, self.keys, self.users) = (content, release, keys, users)
    }

    /// The wall clock.
    var now: Date { users?.clock() ?? Date() }

    /// The storage of proposals.
    var review: ReviewStorage {
        get throws {
            guard let review = users?.review else {
                throw WorkflowError(.notFound, "This data has no review of keys.")
            }
            return review
        }
    }

    /// Returns the release directory as the place of versions whose answers are graded again, with some that are known besides.
    func regrading(_ versions: String...) -> RegradeScope {
        RegradeScope(
            releaseDirectory: release, versions: versions,
            day: String(now.formatted(.iso8601).prefix(10)))
    }

    /// Returns a publisher with some options for somebody; one that only looks needs nobody.
    func publisher(by actor: Actor? = nil, _ options: Publisher? = nil) -> Publisher {
        let own = Publisher(folder: content, releaseDirectory: release, keys: keys)
        var publisher = options ?? own
        (publisher.folder, publisher.releaseDirectory) = (own.folder, own.releaseDirectory)
        (publisher.keys, publisher.author) = (keys, actor?.address ?? "")
        return publisher
    }

    /// Returns the publishers of all releases, the newest last.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    package func publications() throws -> [Publication] { try publisher().publications() }

    /// Checks before a publish that the keys can sign a release.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, or an error of reading the keys.
    package func checkSigningKeys() throws { try publisher().checkSigningKeys() }

    /// Commits changes that the content folder has.
    ///
    /// - Returns: The short name of the commit; `nil` when they are committed already, or in no repository.
    /// - Throws: `PublishingError` `unwritable`.
    func commit(_ edits: [FileEdit], _ message: String, by actor: Actor) async throws -> String? {
        guard commits else { return nil }
        return try await threads.run { [content] in
            try ContentRepository(of: content)?.commit(
                edits, message: message, author: .init(name: actor.name, email: actor.address))
        }
    }
}

/// A pool of threads for blocking work.
package protocol BlockingThreads: Sendable {
    /// Runs work, and returns its result.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value
}

/// The caller's thread, for a process that does nothing else.
package struct CallingThread: BlockingThreads {
    package init() {}

    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value { try work() }
}

/// A person or program that the audit log and commits name.
package struct Actor: Sendable, Hashable {
    /// The name in the audit log: the id of an account, or `operator:ada`.
    package let id: String
    /// The name in a commit.
    package let name: String
    /// The email in a commit and the name in a release directory's record, such as `ada@desk`.
    package let address: String

    package init(id: String, name: String, address: String) {
        (self.id, self.name, self.address) = (id, name, address)
    }
}
