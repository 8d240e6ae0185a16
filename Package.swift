// swift-tools-version: 6.2
import PackageDescription

/// The settings that every target of this house builds under.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTPTypesHTTP1 = Target.Dependency.product(
    name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "underway",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(
            name: "Underway",
            targets: [
                "ContentModel", "QuestionEngine", "OfflineStore", "RemoteAssets", "SyncClient",
                "HTTPTransport",
            ]),
        .library(name: "UnderwayAssets", targets: ["RemoteAssets"]),
        .library(name: "UnderwayService", targets: ["SyncService"]),
        .executable(name: "underway", targets: ["CommandLineTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: Core: values and rules, no clock, no disk, no network

        /// What content is: manifest, blueprint, questions, announcements, rules, checksums.
        .target(
            name: "ContentModel", dependencies: [crypto],
            path: "Sources/Core/ContentModel", swiftSettings: house),
        /// How a learner is asked, graded, placed and scheduled; what answers say about questions.
        .target(
            name: "QuestionEngine", dependencies: ["ContentModel"],
            path: "Sources/Core/QuestionEngine", swiftSettings: house),
        /// How a learner's data merges: operations, revisions, policies, the device's machine.
        .target(name: "UserData", path: "Sources/Core/UserData", swiftSettings: house),
        /// gzip, as C gives it.
        .target(
            name: "CDeflate", path: "Sources/Core/CDeflate",
            linkerSettings: [.linkedLibrary("z")]),
        /// What crosses the network: routes, bodies, error codes, limits.
        .target(
            name: "ServiceAPI", dependencies: ["ContentModel", "UserData", "CDeflate"],
            path: "Sources/Core/ServiceAPI", swiftSettings: house),

        // MARK: Client: the SDK that an app embeds

        /// What a device keeps: generations, blobs, questions, lazy files, answers, sessions.
        .target(
            name: "OfflineStore",
            dependencies: [
                "ContentModel", "QuestionEngine", "UserData", "ServiceAPI", grdb, logging,
            ],
            path: "Sources/Client/OfflineStore", swiftSettings: house),
        /// Extended attributes of files, as C gives them.
        .target(name: "CExtendedAttributes", path: "Sources/Client/CExtendedAttributes"),
        /// libcurl and the decoders of gzip and brotli, as C gives them; empty but on Linux.
        .target(
            name: "CTransfer", path: "Sources/Client/CTransfer",
            linkerSettings: [
                .linkedLibrary("curl", .when(platforms: [.linux])),
                .linkedLibrary("z", .when(platforms: [.linux])),
                .linkedLibrary("brotlidec", .when(platforms: [.linux])),
            ]),
        /// One HTTP request: bounded, cancellable, on URLSession or libcurl.
        .target(
            name: "WebTransfer",
            dependencies: [.target(name: "CTransfer", condition: .when(platforms: [.linux]))],
            path: "Sources/Client/WebTransfer", swiftSettings: house),
        /// One typed asset: bundled first, replaced when a valid remote one arrives.
        .target(
            name: "RemoteAssets", dependencies: ["CExtendedAttributes", "WebTransfer", logging],
            path: "Sources/Client/RemoteAssets", resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: house),
        /// How a device catches up: one actor around one machine.
        .target(
            name: "SyncClient",
            dependencies: [
                "ContentModel", "UserData", "ServiceAPI", "OfflineStore", "RemoteAssets",
                "WebTransfer", logging,
            ],
            path: "Sources/Client/SyncClient", swiftSettings: house),
        /// The network under `SyncClient`, on `WebTransfer`.
        .target(
            name: "HTTPTransport", dependencies: ["SyncClient", "WebTransfer"],
            path: "Sources/Client/HTTPTransport", swiftSettings: house),

        /// Syncs in the background of a program that runs on, as one of its services.
        .target(
            name: "SyncService", dependencies: ["SyncClient", serviceLifecycle],
            path: "Sources/Client/SyncService", swiftSettings: house),

        // MARK: Server: from a folder of sources to a served release

        /// brotli, the comparison of packed with plain bytes, syncfs and the look at a file, as C gives them.
        .target(
            name: "CCompression", path: "Sources/Server/CCompression",
            linkerSettings: [
                .linkedLibrary("brotlienc"), .linkedLibrary("brotlidec"), .linkedLibrary("z"),
            ]),
        /// Zip archives and Zstandard, as C gives them.
        .target(
            name: "CArchive", path: "Sources/Server/CArchive",
            linkerSettings: [.linkedLibrary("zip"), .linkedLibrary("zstd")]),
        /// From a content folder to a release: load, import, check, diff, build, drift.
        .target(
            name: "Publishing",
            dependencies: [
                "ContentModel", "UserData", "ServiceAPI", "CArchive", "CCompression", grdb, yams,
            ],
            path: "Sources/Server/Publishing", swiftSettings: house),
        /// The users of a server: their accounts, and the log of what their devices send.
        .target(
            name: "UserService",
            dependencies: [
                "ContentModel", "UserData", "ServiceAPI", "WebTransfer", crypto, cryptoExtras, grdb,
                jwtKit,
            ],
            path: "Sources/Server/UserService", swiftSettings: house),
        /// The HTTP server: serves a release directory.
        .target(
            name: "ContentServer",
            dependencies: [
                "CCompression", "ContentModel", "UserData", "ServiceAPI", "UserService", httpTypes,
                hummingbird, hummingbirdCore, logging,
                nioCore, nioHTTP1, nioHTTPTypesHTTP1, nioPosix, serviceLifecycle,
            ],
            path: "Sources/Server/ContentServer", swiftSettings: house),

        // MARK: Door: the one executable

        /// The command line: one file a subcommand; the only place where parts are wired.
        .executableTarget(
            name: "CommandLineTool",
            dependencies: [
                "ContentModel", "QuestionEngine", "UserData", "OfflineStore", "SyncClient",
                "RemoteAssets", "HTTPTransport", "Publishing", "UserService", "ContentServer",
                "ServiceAPI", argumentParser, logging, serviceLifecycle, unixSignals,
            ],
            path: "Sources/CommandLineTool", swiftSettings: house),

        // MARK: Benchmarks

        /// What `script/bench` measures inside one process.
        .executableTarget(
            name: "EngineBenchmarks",
            dependencies: ["ContentModel", "QuestionEngine", "TestSupport"],
            path: "Benchmarks/Engine", swiftSettings: house),
        /// The steps of a device that the benchmark of user data times.
        .executableTarget(
            name: "UserDataBenchmarks",
            dependencies: [
                "HTTPTransport", "OfflineStore", "QuestionEngine", "SyncClient", "UserData",
            ],
            path: "Benchmarks/UserData", swiftSettings: house),

        /// The steps of an app that the benchmark of assets times.
        .executableTarget(
            name: "AssetBenchmarks",
            dependencies: [
                "HTTPTransport", "OfflineStore", "Publishing", "RemoteAssets", "SyncClient",
            ],
            path: "Benchmarks/Assets", swiftSettings: house),
        /// Runs the simulation of user data on many seeds, in an optimised build.
        .executableTarget(
            name: "Simulate", dependencies: ["SimulationSupport"],
            path: "Benchmarks/Simulate", swiftSettings: house),

        /// Refreshes of an asset race with its readers; alone, so that a sanitizer builds little.
        .executableTarget(
            name: "AssetRace", dependencies: ["RemoteAssets"], path: "Benchmarks/AssetRace",
            swiftSettings: house),

        // MARK: Tests

        /// Seeded chance, temporary folders, content builders, faulty transports.
        .target(
            name: "TestSupport", dependencies: ["ContentModel", "QuestionEngine", "SyncClient"],
            path: "Tests/TestSupport", swiftSettings: house),
        /// A disk in memory under SQLite that loses power and tears what was not synced.
        .target(
            name: "CFaultyDisk", path: "Tests/CFaultyDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        /// The server's routes without a socket.
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "ContentServer", "SyncClient", "UserService", httpTypes, hummingbird, logging,
                nioCore, nioEmbedded,
            ],
            path: "Tests/ServerTestSupport", swiftSettings: house),
        /// Devices, a server and a bad network in virtual time, and what must be true in the end.
        .target(
            name: "SimulationSupport", dependencies: ["QuestionEngine", "UserData"],
            path: "Tests/SimulationSupport", swiftSettings: house),
        /// A device in a process of its own, for the black box test.
        .executableTarget(
            name: "DeviceDriver",
            dependencies: [
                "ContentModel", "HTTPTransport", "OfflineStore", "QuestionEngine", "SyncClient",
                "UserData",
            ],
            path: "Tests/System/DeviceDriver", swiftSettings: house),
        .testTarget(
            name: "ContentModelTests", dependencies: ["ContentModel", "TestSupport"],
            path: "Tests/Core/ContentModelTests", swiftSettings: house),
        .testTarget(
            name: "QuestionEngineTests",
            dependencies: ["ContentModel", "QuestionEngine", "TestSupport"],
            path: "Tests/Core/QuestionEngineTests",
            exclude: [
                "Vectors/README.md", "Vectors/fsrs6.json", "Vectors/item_analysis.json",
            ], swiftSettings: house),
        .testTarget(
            name: "UserDataTests",
            dependencies: ["SimulationSupport", "TestSupport", "UserData"],
            path: "Tests/Core/UserDataTests", swiftSettings: house),
        .testTarget(
            name: "ServiceAPITests",
            dependencies: ["ContentModel", "ServiceAPI", "TestSupport", "UserData"],
            path: "Tests/Core/ServiceAPITests", swiftSettings: house),
        .testTarget(
            name: "OfflineStoreTests",
            dependencies: [
                "ContentModel", "OfflineStore", "QuestionEngine", "ServiceAPI", "TestSupport",
                "UserData", grdb,
            ],
            path: "Tests/Client/OfflineStoreTests", exclude: ["Stores"], swiftSettings: house),
        .testTarget(
            name: "WebTransferTests",
            dependencies: [
                "CCompression", "CDeflate", "HTTPTransport", "RemoteAssets", "SyncClient",
                "TestSupport", "WebTransfer",
            ],
            path: "Tests/Client/WebTransferTests", swiftSettings: house),
        .testTarget(
            name: "RemoteAssetsTests",
            dependencies: ["AssetRace", "RemoteAssets", "SyncClient", "TestSupport"],
            path: "Tests/Client/RemoteAssetsTests", swiftSettings: house),
        .testTarget(
            name: "SyncClientTests",
            dependencies: [
                "ContentModel", "OfflineStore", "Publishing", "RemoteAssets", "ServiceAPI",
                "SyncClient", "TestSupport",
            ],
            path: "Tests/Client/SyncClientTests", swiftSettings: house),
        .testTarget(
            name: "PublishingTests",
            dependencies: ["ContentModel", "Publishing", "ServiceAPI", "TestSupport"],
            path: "Tests/Server/PublishingTests", exclude: ["Fixtures"], swiftSettings: house),
        .testTarget(
            name: "UserServiceTests",
            dependencies: [
                "ContentModel", "ServiceAPI", "TestSupport", "UserData", "UserService", crypto,
                grdb, jwtKit,
            ],
            path: "Tests/Server/UserServiceTests", swiftSettings: house),
        .testTarget(
            name: "ContentServerTests",
            dependencies: [
                "ContentModel", "ContentServer", "Publishing", "ServerTestSupport", "ServiceAPI",
                "TestSupport", "UserService", httpTypes, nioCore, nioEmbedded, nioHTTP1,
            ],
            path: "Tests/Server/ContentServerTests", swiftSettings: house),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "ContentModel", "ContentServer", "HTTPTransport", "OfflineStore", "Publishing",
                "QuestionEngine", "RemoteAssets", "ServerTestSupport", "ServiceAPI", "SyncClient",
                "CFaultyDisk", "SyncService", "TestSupport", "UserData", "UserService", grdb,
                httpTypes,
                logging, serviceLifecycle,
            ],
            path: "Tests/System/SystemTests", swiftSettings: house),
    ]
)
