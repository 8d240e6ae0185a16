import Underway

/// A step that a learner can take with the account, each with a form of its own.
public enum AccountStep: String, Sendable, Hashable, CaseIterable, Identifiable {
    /// Signs in.
    case signIn = "sign-in"
    /// Creates an account with a name for the learner's data.
    case create
    /// Signs out.
    case signOut = "sign-out"
    /// Deletes the account.
    case delete

    /// The step.
    public var id: Self { self }

    /// The key of the form's heading.
    public var titleKey: String {
        switch self {
        case .signIn: "account.signIn"
        case .create: "account.create"
        case .signOut: "account.signOut"
        case .delete: "account.delete"
        }
    }

    /// The key of the sentence shown after the step.
    public var doneKey: String {
        switch self {
        case .signIn: "account.signedIn"
        case .create: "account.created"
        case .signOut: "account.signedOut"
        case .delete: "account.deleted"
        }
    }

    /// Returns true if a step applies to an account.
    public func isOpen(to identity: StudyIdentity) -> Bool {
        guard identity.hasServer else { return false }
        return switch self {
        case .signIn: identity.kind != .named || identity.hasToSignInAgain
        case .create: identity.kind != .named
        case .signOut: identity.kind == .named
        case .delete: identity.kind != .local
        }
    }
}

extension StudyIdentity {
    /// Returns a sentence with the signed-in account.
    public func sentence(_ words: StudyText) -> String {
        switch kind {
        case .named: words.text("account.signedInAs", ["name": name])
        case .unnamed: words["account.unnamed"]
        case .local: words[hasServer ? "account.sentUnnamed" : "account.none"]
        }
    }
}

extension AccountProblem {
    /// Returns the sentence about a failed step.
    public func sentence(_ words: StudyText) -> String {
        switch self {
        case .signInFailed: words["account.signInFailed"]
        case .createFailed: words["account.createFailed"]
        case .nameMismatch: words["account.deleteMismatch"]
        case .notSent: words["account.notSent"]
        case .notDeleted: words["account.notDeleted"]
        case .deletionUnknown: words["account.deletionUnknown"]
        case .deletedThere: words["account.deletedThere"]
        case .moving: words["account.moving"]
        case .other(let problem): words[problem.code.key]
        }
    }
}

extension WaitingLearner {
    /// The keys of the sentences about an account that was not joined, by the code of the refusal.
    private static let obstacleKeys = [
        "movedElsewhere": "account.notJoinedElsewhere",
        "needsFreshSignIn": "account.notJoinedFresh", "hasRole": "account.notJoinedRole",
        "tooMuch": "account.notJoinedTooMuch",
    ]

    /// Returns the sentence about unsent data.
    public func sentence(_ words: StudyText) -> String {
        if let obstacle {
            return words.text(
                Self.obstacleKeys[obstacle] ?? "account.notJoined", ["name": name])
        }
        return name.isEmpty
            ? words.count("account.othersUnnamed", count)
            : words.count("account.othersWaiting", count, ["name": name])
    }
}

extension SignOutChoice {
    /// The key of the choice's name.
    public var titleKey: String {
        switch self {
        case .send: "account.sendNow"
        case .keep: "account.keepForNextTime"
        case .erase: "account.erase"
        }
    }

    /// The key of the sentence about the effect on the data.
    public var hintKey: String {
        switch self {
        case .send: "account.sendHint"
        case .keep: "account.keepHint"
        case .erase: "account.eraseHint"
        }
    }
}

extension AccountScreen {
    /// True when a sign-out would lose data, so that the learner must choose its treatment.
    public var hasToChoose: Bool { unsentCount > 0 || openSessionCount > 0 }

    /// Returns the effect of a sign-out on the data of this device.
    public func signOutSentence(_ words: StudyText) -> String {
        let sent =
            unsentCount > 0
            ? words.count("account.signOutUnsent", unsentCount) : words["account.signOutSent"]
        guard openSessionCount > 0 else { return sent }
        return sent + " " + words.count("account.signOutOpen", openSessionCount)
    }
}
