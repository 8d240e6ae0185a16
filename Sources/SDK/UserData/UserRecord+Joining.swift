extension UserRecord {
    /// Merges two states of a record.
    ///
    /// It commutes, associates and is idempotent, so that devices may offer their records in any order after a restore
    /// of the server. A write that was knowingly replaced in one state does not return from the other, whatever the
    /// clocks are.
    public func joined(with other: UserRecord, policy: Policy) -> UserRecord {
        let (later, earlier) = isLater(than: other) ? (self, other) : (other, self)
        var result = later
        if policy.abilities.mergesFields, !later.isDeleted {
            for (name, field) in earlier.fields {
                guard let known = later.fields[name] else {
                    result.fields[name] = field
                    continue
                }
                if earlier.prevails(field, insteadOf: known, in: later) {
                    result.fields[name] = field
                }
            }
        }
        for (name, devices) in earlier.counterTotals {
            for (client, tally) in devices {
                let known = later.counterTotals[name]?[client] ?? CounterTotals()
                result.counterTotals[name, default: [:]][client] = tally.joined(known)
            }
        }
        result.schemaVersion = max(schemaVersion, other.schemaVersion)
        if policy.abilities.remembersReplaced { result.remember(history, other.history) }
        result.mergeOverwritten(of: earlier)
        return result
    }

    /// Returns true if the author of one state had seen the other.
    package func isRelated(to other: UserRecord) -> Bool {
        includes(other.operation) || other.includes(operation)
    }

    /// Returns the state that a device shows while it offers this one to a server that has another.
    ///
    /// An offer that meets an unrelated state becomes a conflict, whose own side is shown, if the policy asks the user;
    /// otherwise both are merged.
    func offered(to other: UserRecord, policy: Policy) -> UserRecord {
        let isAsked =
            policy.abilities.asksUser && !isRelated(to: other) && !hasSameContent(as: other)
        return isAsked ? self : joined(with: other, policy: policy)
    }

    /// Returns true if this state replaced the other or else was written later: by time, then by
    /// operation.
    func isLater(than other: UserRecord) -> Bool {
        let (knows, isKnown) = (includes(other.operation), other.includes(operation))
        guard knows == isKnown else { return knows }
        return (time, operation) > (other.time, other.operation)
    }

    private func prevails(_ field: Field, insteadOf known: Field, in other: UserRecord) -> Bool {
        let (knows, isKnown) = (includes(known.writer), other.includes(field.writer))
        guard knows == isKnown else { return knows }
        return field.isLater(than: known)
    }
}
