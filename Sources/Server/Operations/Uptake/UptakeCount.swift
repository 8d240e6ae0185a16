package import ContentModel
package import ServiceAPI

/// The number of devices with the same content.
package struct UptakeCount: Sendable, Hashable {
    /// The installed release; `nil` for all releases that are not listed individually.
    package var release: Int?
    /// The obstacle that stops these devices from following releases.
    package var obstacle: InstalledContent.Obstacle?
    /// The number of devices.
    package var devices: Int

    package init(release: Int?, obstacle: InstalledContent.Obstacle? = nil, devices: Int) {
        self.release = release
        self.obstacle = obstacle
        self.devices = devices
    }
}

/// The number of devices in use by installed release, and by the obstacles of those that do not follow.
///
/// ```swift
/// let uptake = Uptake([
///     UptakeCount(release: 17, devices: 940),
///     UptakeCount(release: 16, obstacle: .storage, devices: 3),
/// ])
/// print(uptake.devices, uptake.counts.count)  // 943 2
/// ```
package struct Uptake: Sendable, Hashable {
    /// The counts, the newest release first; the sum of releases that are not listed individually last.
    package var counts: [UptakeCount]

    /// Creates a list of counts; since a device may claim any release, only the newest are listed individually.
    package init(_ counts: [UptakeCount]) {
        let releases = Set(counts.compactMap(\.release))
        let listed = Set(releases.sorted(by: >).prefix(ServiceLimits.uptakeReleasesMax))
        var sums: [Place: Int] = [:]
        for count in counts {
            let release = count.release.flatMap { listed.contains($0) ? $0 : nil }
            sums[Place(release: release, obstacle: count.obstacle), default: 0] += count.devices
        }
        self.counts = sums.sorted { $0.key.precedes($1.key) }.map {
            UptakeCount(release: $0.key.release, obstacle: $0.key.obstacle, devices: $0.value)
        }
    }

    private struct Place: Hashable {
        var release: Int?
        var obstacle: InstalledContent.Obstacle?

        func precedes(_ other: Place) -> Bool {
            guard release == other.release else { return release ?? -1 > other.release ?? -1 }
            return (obstacle?.rawValue ?? "") < (other.obstacle?.rawValue ?? "")
        }
    }

    /// The number of devices.
    package var devices: Int { counts.reduce(0) { $0 + $1.devices } }

    /// The uptake as JSON.
    package var json: JSONValue {
        [
            "days": .integer(ServiceLimits.uptakeDays), "devices": .integer(devices),
            "counts": .array(
                counts.map { count in
                    .compact([
                        "release": count.release.map { .integer($0) },
                        "obstacle": count.obstacle.map { .string($0.rawValue) },
                        "devices": .integer(count.devices),
                    ])
                }),
        ]
    }
}
