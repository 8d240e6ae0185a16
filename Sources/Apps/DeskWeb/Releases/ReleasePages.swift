import Accounts
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import Operations
import PageRendering
import Publishing
import ServiceAPI
import Workflows

/// The pages of releases: their devices, waiting devices with the reason, and rollback.
struct ReleasePages {
    let app: DeskApp

    /// The most releases that are listed.
    private static let listedMax = 50

    var routes: [DeskRoute] {
        [
            .get("/releases", .anyRole, list),
            .get("/releases/:number/roll-back", .roles([.publisher]), ask),
            .post("/releases/:number/roll-back", .roles([.publisher]), rollBack),
        ]
    }

    private struct View {
        struct Row {
            var number: Int
            var time: DeskTime
            var author: String
            var what: String
            var devices: String
            var share: Int
            var isCurrent: Bool
            var isRollback: Bool
            var back: String?
        }

        struct Wait {
            var reason: String
            var devices: Int
        }

        var lead: String
        var finding: String
        var reached: [Reach]
        var waits: [Wait]
        var hasWaits: Bool
        var waiting: String
        var rows: [Row]
        var hasRows: Bool
    }

    private struct Reach {
        var share: String
        var after: String
    }

    private func list(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let place = app.workplace
        let publications = try await app.gate.run { try place.publications() }
        let uptake = try await app.users.uptake?.uptake()
        let spread = try await app.users.uptake?.spread() ?? []
        let view = Self.view(
            publications.suffix(Self.listedMax).reversed(), uptake, spread,
            mayRollBack: user.roles.contains(.publisher), now: page.now)
        return try app.render("desk_releases", title: "Releases", in: .releases, view, for: page)
    }

    private static func view(
        _ publications: [Publication], _ uptake: Uptake?, _ spread: [ReleaseSpread],
        mayRollBack: Bool, now: Int64
    ) -> View {
        let devices = uptake?.devices ?? 0
        let current = publications.first?.release
        func count(_ release: Int?) -> Int {
            (uptake?.counts ?? []).filter { $0.release == release && release != nil }
                .reduce(0) { $0 + $1.devices }
        }
        let there = current.map(count) ?? 0
        let newest = current.flatMap { number in spread.first { $0.release == number } }
        let waits = (uptake?.counts ?? []).filter { $0.obstacle != nil }
        let waiting = devices - there
        return View(
            lead: devices == 0
                ? "No device was seen in the last \(ServiceLimits.uptakeDays) days."
                : "\(devices) device\(devices == 1 ? " was" : "s were") seen in the last \(ServiceLimits.uptakeDays) days.",
            finding: current.map {
                devices == 0
                    ? "Release \($0) is served"
                    : "\(ProposalView.percent(Double(there) / Double(devices))) have release \($0)"
            } ?? "Nothing was published yet",
            reached: zip(ReleaseSpread.shares, newest?.reachedAt ?? []).map { share, at in
                Reach(
                    share: ProposalView.percent(share),
                    after: at.map { Self.duration($0 - (newest?.servedAt ?? $0)) } ?? "not yet")
            },
            waits: reasons(waits, waiting: waiting), hasWaits: waiting > 0,
            waiting: "\(waiting) device\(waiting == 1 ? " waits" : "s wait")",
            rows: publications.map { one in
                let count = count(one.release)
                return View.Row(
                    number: one.release,
                    time: DeskTime(Int64(one.seconds) * 1000, now: now),
                    author: one.author.isEmpty ? "–" : one.author,
                    what: words(one.action),
                    devices: devices == 0
                        ? "–" : ProposalView.percent(Double(count) / Double(devices)),
                    share: devices == 0
                        ? 0 : Int((100 * Double(count) / Double(devices)).rounded()),
                    isCurrent: one.release == current, isRollback: one.action == .rollback,
                    back: mayRollBack && one.release != current
                        ? "\(DeskSection.releases.path)/\(one.release)/roll-back" : nil)
            }, hasRows: !publications.isEmpty)
    }

    /// Counts devices that wait by their reason, the rest as those that were not seen since.
    private static func reasons(_ counts: [UptakeCount], waiting: Int) -> [View.Wait] {
        var sums: [String: Int] = [:]
        for count in counts {
            guard let obstacle = count.obstacle else { continue }
            sums[words(obstacle), default: 0] += count.devices
        }
        let named = sums.values.reduce(0, +)
        var waits = sums.sorted { $0.value > $1.value }.map {
            View.Wait(reason: $0.key, devices: $0.value)
        }
        if waiting > named {
            waits.insert(
                .init(reason: "Not seen since it came out", devices: waiting - named), at: 0)
        }
        return waits
    }

    private static func words(_ action: Publication.Action) -> String {
        switch action {
        case .publish: "Published"
        case .rollback: "Went back to an earlier release"
        case .rollout: "Changed who gets it"
        }
    }

    private static func words(_ obstacle: InstalledContent.Obstacle) -> String {
        switch obstacle {
        case .unreachable: "The server did not answer"
        case .captivePortal: "A sign-in page of a network was in the way"
        case .networkNotAllowed: "The user allows no such network"
        case .damagedDownload: "A download arrived damaged"
        case .badManifest: "The release could not be read"
        case .untrusted: "The release was not signed as the app wants it"
        case .expired: "The signatures have expired"
        case .olderRelease: "Was offered an older release"
        case .rollout: "Waits for a rollout"
        case .outdatedApp: "App is too old to read it"
        case .vetoed: "The app refused it"
        case .banned: "Went back after a crash"
        case .storage: "No space left"
        case .other: "Another reason"
        }
    }

    private static func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    // MARK: The way back

    private struct AskView {
        var number: Int64
        var changes: [PublishView.Change]
        var more: String?
        var action: String
        var back = DeskSection.releases.path
        var removedWord = "removed"
        var addedWord = "added"
        var current: Int
    }

    private func ask(_ page: DeskRequest) async throws -> Response {
        let number = try page.number("number")
        let place = app.workplace
        let (current, difference) = try await app.gate.run {
            let current = try place.publications().last?.release ?? 0
            return (
                current,
                try ReleaseDiff.between(
                    current, and: Int(number), releaseDirectory: place.release)
            )
        }
        let all = PublishView.changes(difference)
        let view = AskView(
            number: number, changes: Array(all.prefix(PublishView.changesMax)),
            more: all.count > PublishView.changesMax
                ? "And \(all.count - PublishView.changesMax) more." : nil,
            action: "\(DeskSection.releases.path)/\(number)/roll-back", current: current)
        return try app.render(
            "desk_roll_back", title: "Roll back to release \(number)", in: .releases, view,
            for: page)
    }

    private func rollBack(_ page: DeskRequest) async throws -> Response {
        var change = ReleaseChange(.rollBack(to: Int(try page.number("number"))))
        change.current = page.form["current"].flatMap { Int($0) } ?? 0
        try await page.run(change)
        return .redirect(to: DeskSection.releases.path)
    }
}
