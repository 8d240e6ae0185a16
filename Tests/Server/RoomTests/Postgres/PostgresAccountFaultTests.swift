import Accounts
import DatabaseTestSupport
import Foundation
import ServiceAPI
import Synchronization
import TestSupport
import Testing

@testable import ContentServer
@testable import Ledger
@testable import ServerApplication
@testable import Tables

/// A PostgreSQL that is killed while devices renew their sessions at two processes.
@Suite struct PostgresAccountFaultTests {
    /// A device that has the token of the last reply that it got.
    private actor Device {
        private(set) var tokens: SessionTokens
        private(set) var renewals = 0

        init(_ tokens: SessionTokens) { self.tokens = tokens }

        func renew(at service: UserBackend) async throws {
            tokens = try await service.refresh(tokens.refreshToken, address: tokens.user)
            renewals += 1
        }
    }

    /// What the devices of a test meet.
    private final class Events: Sendable {
        let isDown = Mutex(false)
        let refusals = Mutex<Set<ProblemCode>>([])
    }

    /// Renews until the server was killed under it.
    private func work(
        _ device: Device, at service: UserBackend, _ events: Events
    ) async throws {
        while true {
            do {
                try await device.renew(at: service)
            } catch let error as StorageError {
                #expect([.unavailable, .busy].contains(error))
                if events.isDown.withLock({ $0 }) { return }
            } catch let error as RequestError {
                _ = events.refusals.withLock { $0.insert(error.code) }
                return
            }
        }
    }

    /// Renews as often as a device tries whose network comes back; a pool may have several broken connections.
    private func resume(_ device: Device, at service: UserBackend) async throws {
        for _ in 0..<9 {
            do {
                return try await device.renew(at: service)
            } catch is StorageError {
                continue
            }
        }
        try await device.renew(at: service)
    }

    /// Whatever a device was told is so afterwards; a reply that it did not get costs it nothing.
    @Test func aKilledServerEndsNoSession() async throws {
        let server = try PostgresServer()
        let users = try await PostgresUsers([], on: server)
        let folder = try TemporaryFolder()
        let options = UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10)
        var services: [UserBackend] = []
        for _ in 0..<2 {
            services.append(try await UserBackend(users.pool(4), options))
        }
        var devices: [Device] = []
        for number in 0..<6 {
            devices.append(
                Device(try await services[0].makeAnonymousAccount(address: "\(number)")))
        }
        let refusals = Events()
        for _ in 0..<3 {
            let events = Events()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, device) in devices.enumerated() {
                    let service = services[number % 2]
                    group.addTask { try await work(device, at: service, events) }
                }
                let target = await devices[0].renewals + 5
                while await devices[0].renewals < target,
                    events.refusals.withLock({ $0.isEmpty })
                {
                    await Task.yield()
                }
                events.isDown.withLock { $0 = true }
                server.kill()
                try await group.waitForAll()
            }
            try server.start()
            for (number, device) in devices.enumerated() {
                try await resume(device, at: services[(number + 1) % 2])
            }
            refusals.refusals.withLock { $0.formUnion(events.refusals.withLock { $0 }) }
        }
        #expect(refusals.refusals.withLock { $0 } == [])
        for device in devices {
            let tokens = await device.tokens
            #expect(
                try await services[0].authentication.user("Bearer " + tokens.accessToken)
                    == tokens.user)
            #expect(await device.renewals > 3)
        }
    }
}
