import UserData

extension AccountDecision {
    /// Makes room for one more device in use: the least recently used ones are retired.
    ///
    /// Their answers stay. Should one return, it takes a new identity and offers what it has, so nothing
    /// of it is lost; still, devices that wait for results go last.
    mutating func makeRoomForDevice() {
        let inUse = Array(snapshot.devicesInUse.reversed())
        let excess = inUse.count + 1 - ledger.limits.devicesPerUserMax
        guard excess > 0 else { return }
        let oldest = inUse.filter { !$0.hasUnreadResults } + inUse.filter(\.hasUnreadResults)
        retire(Array(oldest.prefix(excess)))
    }

    /// Retires devices in use.
    ///
    /// Of those that retired last it is remembered which of their operations were applied.
    mutating func retire(_ devices: [LedgerDevice]) {
        let new = Set(devices.map(\.client))
        changes.retired += devices.map(\.client)
        let before = beyondMemory { $0.isRetired }
        let after = beyondMemory { $0.isRetired || new.contains($0.client) }
        changes.forgotten += after.subtracting(before).sorted()
    }

    /// Retires the device that left its name, as the last one; a name that is new takes the place of a device in use.
    mutating func leave(_ client: ClientID) {
        let known = snapshot.devices.first { $0.client == client && $0.wasSeen }
        guard let known else { return makeRoomForDevice() }
        if known.isInUse { changes.retired.append(client) }
        let isRemembered = known.isRetired && !beyondMemory { $0.isRetired }.contains(client)
        guard !isRemembered else { return }
        // Another one is not remembered any more in its place.
        let room = ledger.limits.retiredDevicesMax - 1
        let others = lastUsed { $0.isRetired && $0.client != client }
        changes.forgotten += others.dropFirst(room).prefix(1)
    }

    /// Returns those of the retired devices of whose operations nothing is remembered.
    private func beyondMemory(_ isRetired: (LedgerDevice) -> Bool) -> Set<ClientID> {
        Set(lastUsed(isRetired).dropFirst(ledger.limits.retiredDevicesMax))
    }

    /// Returns devices by the time of their last exchange, the last one first.
    private func lastUsed(_ isWanted: (LedgerDevice) -> Bool) -> [ClientID] {
        snapshot.devices.filter(isWanted).lastUsedFirst.map(\.client)
    }
}
