extension Policy {
    /// The rules of a policy: every comparison of policies uses these.
    public struct Abilities: Sendable, Hashable {
        /// The effect of a write on its record.
        public enum Writing: Sendable, Hashable {
            /// Adds a record, which never changes afterwards.
            case adds
            /// Replaces all fields of the record.
            case replaces
            /// Sets only the fields that the change names.
            case mergesFields
            /// Adds a step to a counter.
            case counts
        }

        /// The resolution of a write whose author had not seen the server's state.
        public enum Resolution: Sendable, Hashable {
            /// Rejects the write, unless its content is equal.
            case refuse
            /// The later write wins.
            case laterWins
            /// The user resolves a conflict.
            case askUser
            /// The server's state wins.
            case serverWins
            /// Adds both.
            case addUp
        }

        /// The effect of a write.
        public var writing: Writing
        /// True when records can be deleted.
        public var allowsDeletion: Bool
        /// The resolution of concurrent writes.
        public var resolution: Resolution
        /// True when a notice informs the device whose write was overwritten.
        public var notifiesLoser: Bool

        /// True when a record can be set.
        public var allowsPut: Bool { writing != .counts }
        /// True when records are counters.
        public var isCounter: Bool { writing == .counts }
        /// True when each field is resolved separately.
        public var mergesFields: Bool { writing == .mergesFields }
        /// True when records are only added.
        public var onlyAdds: Bool { writing == .adds }
        /// True when the user resolves conflicts.
        public var asksUser: Bool { resolution == .askUser }
        /// True when one write replaces another, so that a record lists the writes that it replaced.
        public var remembersReplaced: Bool { writing == .replaces || writing == .mergesFields }
    }

    /// The abilities of each policy.
    public var abilities: Abilities {
        switch self {
        case .appendOnly:
            Abilities(
                writing: .adds, allowsDeletion: false, resolution: .refuse, notifiesLoser: false)
        case .lastWriteWins:
            Abilities(
                writing: .replaces, allowsDeletion: true, resolution: .laterWins,
                notifiesLoser: true)
        case .askUser:
            Abilities(
                writing: .replaces, allowsDeletion: true, resolution: .askUser,
                notifiesLoser: false)
        case .serverWins:
            Abilities(
                writing: .replaces, allowsDeletion: true, resolution: .serverWins,
                notifiesLoser: false)
        case .fieldMerge:
            Abilities(
                writing: .mergesFields, allowsDeletion: true, resolution: .laterWins,
                notifiesLoser: true)
        case .counter:
            Abilities(
                writing: .counts, allowsDeletion: false, resolution: .addUp, notifiesLoser: false)
        }
    }
}
