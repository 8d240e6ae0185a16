import ContentModel
import Foundation
package import Ledger
package import Publishing
import Review

/// The place of a workflow: an author's folders, and the users' data of their server.
package struct Workplace: Sendable {
    /// The content folder.
    package let content: String
    /// The release directory.
    package let release: String
    /// The folder of the keys that sign what is published, where devices want it signed.
    package let keys: String?
    /// The accounts, roles and proposals; `nil` for work on files alone.
    package let users: UserBackend?
    /// True to commit what changes in the content folder, where that is in a git repository.
    package var commits = true
    /// The threads on which files are read and written, and git runs.
    package var threads: any BlockingThreads = CallingThread()
    /// Told of each step that holds before the next one begins; an error stops the workflow there, as a kill does.
    package var reached: @Sendable (WorkflowStep) throws -> Void = { _ in }

    /// Names the folders and the data.
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

    /// Reads who made which release, the newest last.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    package func publications() throws -> [Publication] { try publisher().publications() }

    /// Checks that the keys can sign a release, long before one is published.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, and what reading them throws.
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

/// Threads for work that blocks.
package protocol BlockingThreads: Sendable {
    /// Runs work, and returns its result.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value
}

/// The thread of whoever calls: for a process that does nothing else.
package struct CallingThread: BlockingThreads {
    package init() {}

    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value { try work() }
}

/// A person or program as the records name them.
package struct Actor: Sendable, Hashable {
    /// The name in the audit log: the id of an account, or `operator:ada`.
    package let id: String
    /// The name in a commit.
    package let name: String
    /// The email in a commit, and the name in the record of a release directory, as `ada@desk`.
    package let address: String

    package init(id: String, name: String, address: String) {
        (self.id, self.name, self.address) = (id, name, address)
    }
}
