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

/// A library that is resolved and linked under the trait `Server` alone.
func serverProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

/// A part of this package that is built when the trait `Server` is on.
func serverPart(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: ["Server"]))
}

/// Takes a target out of a plain `swift build`: SwiftPM leaves out what the root package wants on
/// other platforms only, unless something else needs it, as `serverPart` does under the trait.
func leftOut(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(platforms: [.custom("none")]))
}

let argumentParser = serverProduct("ArgumentParser", "swift-argument-parser")
let configuration = serverProduct("Configuration", "swift-configuration")
let coreMetrics = serverProduct("CoreMetrics", "swift-metrics")
let crypto = serverProduct("Crypto", "swift-crypto")
let cryptoExtras = serverProduct("CryptoExtras", "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = serverProduct("HTTPTypes", "swift-http-types")
let hummingbird = serverProduct("Hummingbird", "hummingbird")
let hummingbirdCore = serverProduct("HummingbirdCore", "hummingbird")
let jwtKit = serverProduct("JWTKit", "jwt-kit")
let mustache = serverProduct("Mustache", "swift-mustache")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = serverProduct("NIOCore", "swift-nio")
let nioHTTP1 = serverProduct("NIOHTTP1", "swift-nio")
let nioPosix = serverProduct("NIOPosix", "swift-nio")
let nioEmbedded = serverProduct("NIOEmbedded", "swift-nio")
let nioSSL = serverProduct("NIOSSL", "swift-nio-ssl")
let nioHTTPTypesHTTP1 = serverProduct("NIOHTTPTypesHTTP1", "swift-nio-extras")
let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle",
    condition: .when(traits: ["ServiceLifecycle"]))
let tracing = serverProduct("Tracing", "swift-distributed-tracing")
let unixSignals = serverProduct("UnixSignals", "swift-service-lifecycle")
let yams = serverProduct("Yams", "Yams")

let package = Package(
    name: "underway",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(
            name: "Underway",
            targets: [
                "Underway", "ContentModel", "QuestionEngine", "UserData", "OfflineStorage",
                "RemoteAssets", "SyncClient",
            ]),
        .library(name: "UnderwayEngine", targets: ["ContentModel", "QuestionEngine"]),
        .library(name: "UnderwayAssets", targets: ["RemoteAssets"]),
        .library(name: "UnderwayService", targets: ["SyncService"]),
        .library(name: "UnderwayTesting", targets: ["UnderwayTesting"]),
        .library(name: "UnderwayUI", targets: ["AppUI", "StudyModel"]),
        .executable(name: "underway", targets: ["Program"]),
    ],
    traits: [
        .trait(
            name: "Server",
            description: "The program: publishing, the server and all that they depend on.",
            enabledTraits: ["ServiceLifecycle"]),
        .trait(
            name: "ServiceLifecycle",
            description: "The product UnderwayService, for programs that run on."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: Core: values and rules, no clock, no disk, no network

        /// What content is: manifest, blueprint, questions, announcements, rules, checksums.
        .target(
            name: "ContentModel",
            dependencies: [
                .target(name: "CSHA256", condition: .when(platforms: [.linux, .android]))
            ],
            path: "Sources/Core/ContentModel", swiftSettings: house),
        /// SHA-256 for platforms without CryptoKit.
        .target(name: "CSHA256", path: "Sources/Core/CSHA256"),
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
        /// Answers in SQLite: the tables that a device and the server have alike.
        .target(
            name: "AnswerStorage", dependencies: ["ServiceAPI", grdb, sqlite],
            path: "Sources/Core/AnswerStorage", swiftSettings: house),

        // MARK: Client: the SDK that an app embeds

        /// What a device keeps: generations, blobs, questions, lazy files, answers, sessions.
        .target(
            name: "OfflineStorage",
            dependencies: [
                "AnswerStorage", "ContentModel", "QuestionEngine", "UserData", "ServiceAPI", grdb,
                logging,
            ],
            path: "Sources/Client/OfflineStorage", swiftSettings: house),
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
                "ContentModel", "UserData", "ServiceAPI", "OfflineStorage", "RemoteAssets",
                "WebTransfer", logging,
            ],
            path: "Sources/Client/SyncClient", swiftSettings: house),
        /// The one import of an app: re-exports what it meets of the other modules.
        .target(
            name: "Underway",
            dependencies: [
                "ContentModel", "QuestionEngine", "UserData", "ServiceAPI", "OfflineStorage",
                "RemoteAssets", "SyncClient",
            ],
            path: "Sources/Client/Underway", swiftSettings: house),
        /// Hosts, networks, devices and content in memory, for an app's tests and previews.
        .target(
            name: "UnderwayTesting",
            dependencies: [
                "ContentModel", "UserData", "ServiceAPI", "OfflineStorage", "SyncClient",
            ],
            path: "Sources/Client/UnderwayTesting", swiftSettings: house),
        /// The screens of a study app as view models: no user interface, no store.
        .target(
            name: "StudyModel", dependencies: ["Underway"],
            path: "Sources/Client/StudyModel", resources: [.embedInCode("Words")],
            swiftSettings: house),
        /// SwiftUI views over the models; empty on other platforms.
        .target(
            name: "AppUI", dependencies: ["StudyModel", "Underway"],
            path: "Sources/Client/AppUI", swiftSettings: house),
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
        /// From a content folder to a release: load, check, diff, build, drift.
        .target(
            name: "Publishing",
            dependencies: [
                "ContentModel", "UserData", "ServiceAPI", "SignatureVerification", "CCompression",
                crypto, yams,
            ],
            path: "Sources/Server/Publishing", swiftSettings: house),
        /// Questions of other programs, in and out: archives, decks, XML, tables, text.
        .target(
            name: "Importing",
            dependencies: [
                "CArchive", "ContentModel", "Publishing", "QuestionEngine", grdb,
            ],
            path: "Sources/Server/Importing", swiftSettings: house),
        /// libpq, PostgreSQL's client library, as C gives it.
        .systemLibrary(
            name: "CLibpq", path: "Sources/Server/CLibpq", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        /// PostgreSQL: connections, pool, pipelines, COPY, notifications. Knows nothing of content or users.
        .target(
            name: "PostgresDriver", dependencies: ["CLibpq"],
            path: "Sources/Server/PostgresDriver", swiftSettings: house + [.strictMemorySafety()]),
        /// The users of a server: their accounts, and the log of what their devices send.
        .target(
            name: "UserService",
            dependencies: [
                "AnswerStorage", "CCompression", "ContentModel", "UserData", "ServiceAPI",
                "WebTransfer", crypto, cryptoExtras, grdb, jwtKit, tracing,
            ],
            path: "Sources/Server/UserService", swiftSettings: house),
        /// Published exams as tables of PostgreSQL: schema, constraints, filling, queries.
        .target(
            name: "ContentDatabase",
            dependencies: ["ContentModel", "ServiceAPI", "PostgresDriver"],
            path: "Sources/Server/ContentDatabase", swiftSettings: house),
        /// Users' data on PostgreSQL: migrations, roles, and the storage of ledger and accounts.
        .target(
            name: "PostgresStorage",
            dependencies: [
                "ContentDatabase", "ContentModel", "PostgresDriver", "ServiceAPI", "UserData",
                "UserService", crypto,
            ],
            path: "Sources/Server/PostgresStorage", swiftSettings: house),
        /// From answers to proposals: which keys are probably wrong, who decided, and what became of it.
        .target(
            name: "Reviewing",
            dependencies: ["ContentModel", "QuestionEngine", "ServiceAPI", "UserService"],
            path: "Sources/Server/Reviewing", swiftSettings: house),
        /// Redis: RESP3 over NIO, pipelining, scripts. Knows nothing of content or users.
        .target(
            name: "RedisDriver", dependencies: [crypto, nioCore, nioPosix, nioSSL],
            path: "Sources/Server/RedisDriver", swiftSettings: house),
        /// What processes of a server share on Redis.
        .target(
            name: "RedisStorage", dependencies: ["RedisDriver", "UserService", crypto],
            path: "Sources/Server/RedisStorage", swiftSettings: house),
        /// The numbers of a program as Prometheus reads them.
        .target(
            name: "PrometheusExport", dependencies: [coreMetrics],
            path: "Sources/Server/PrometheusExport", swiftSettings: house),
        /// The signatures of trust metadata where there is no CryptoKit: Ed25519 and P-256.
        .target(
            name: "SignatureVerification", dependencies: ["ContentModel", crypto],
            path: "Sources/Server/SignatureVerification", swiftSettings: house),
        /// The spans of a program as a collector of OpenTelemetry takes them.
        .target(
            name: "TraceExport", dependencies: [tracing],
            path: "Sources/Server/TraceExport", swiftSettings: house),
        /// The HTTP server: serves a release directory.
        .target(
            name: "ContentServer",
            dependencies: [
                "CCompression", "ContentDatabase", "ContentModel", "UserData", "ServiceAPI",
                "PrometheusExport", "Reviewing", "TraceExport", "UserService", coreMetrics,
                httpTypes, hummingbird, hummingbirdCore, logging,
                nioCore, nioHTTP1, nioHTTPTypesHTTP1, nioPosix, serviceLifecycle, tracing,
            ],
            path: "Sources/Server/ContentServer", swiftSettings: house),

        // MARK: Door: the one executable

        /// The study app as pages of a local process, over the models.
        .target(
            name: "StudyWeb",
            dependencies: [
                "PageRendering", "StudyModel", "Underway", httpTypes, hummingbird,
                hummingbirdCore, logging, mustache, nioCore, serviceLifecycle,
            ],
            path: "Sources/StudyWeb", resources: [.embedInCode("Templates")],
            swiftSettings: house),
        /// What the pages of the study app and of the desk have in common.
        .target(
            name: "PageRendering",
            dependencies: ["ContentModel", httpTypes, hummingbird, mustache, nioCore],
            path: "Sources/PageRendering",
            resources: [.embedInCode("Files"), .embedInCode("Templates")],
            swiftSettings: house),

        /// The author's desk: pages on the server for those who write and ship content.
        .target(
            name: "DeskWeb",
            dependencies: [
                "ContentModel", "ContentServer", "Importing", "PageRendering", "Publishing",
                "Reviewing", "ServiceAPI", "UserData", "UserService", httpTypes, hummingbird,
                logging, mustache,
                nioCore,
            ],
            path: "Sources/Server/DeskWeb",
            resources: [.embedInCode("Files"), .embedInCode("Templates")],
            swiftSettings: house),

        /// The command line: one file a subcommand; the only place where parts are wired.
        .target(
            name: "CommandLineTool",
            dependencies: [
                "ContentModel", "QuestionEngine", "UserData", "OfflineStorage", "SyncClient",
                "RemoteAssets", "Importing", "Publishing", "UserService", "PostgresDriver",
                "PostgresStorage", "ContentDatabase", "ContentServer", "DeskWeb",
                "PrometheusExport",
                "RedisDriver", "RedisStorage", "Reviewing", "ServiceAPI", "SignatureVerification",
                "TraceExport", "WebTransfer", "StudyModel", "StudyWeb",
                argumentParser, configuration, logging, serviceLifecycle, tracing, unixSignals,
            ],
            path: "Sources/CommandLineTool", swiftSettings: house),
        /// The executable: the command line, or, without the trait, the word on how to get it.
        .executableTarget(
            name: "Program",
            dependencies: [
                serverPart("CommandLineTool"), leftOut("CArchive"), leftOut("CCompression"),
                leftOut("Importing"), leftOut("Publishing"), leftOut("UserService"),
                leftOut("ContentDatabase"), leftOut("ContentServer"), leftOut("PostgresDriver"),
                leftOut("DatabaseTestSupport"), leftOut("DeskWeb"), leftOut("DeskWebTests"),
                leftOut("PostgresDriverTests"),
                leftOut("PageRendering"), leftOut("PrometheusExport"),
                leftOut("PrometheusExportTests"),
                leftOut("TraceExport"), leftOut("TraceExportTests"),
                leftOut("RedisDriver"), leftOut("RedisDriverTests"), leftOut("RedisStorage"),
                leftOut("PostgresStorage"), leftOut("Reviewing"), leftOut("ReviewingTests"),
                leftOut("ConformanceSupport"), leftOut("ServerTestSupport"),
                leftOut("SignatureVerification"), leftOut("SignatureVerificationTests"),
                leftOut("SimulationSupport"),
                leftOut("SimulationTests"), leftOut("SyncClientTests"),
                leftOut("ImportingTests"), leftOut("PublishingTests"), leftOut("UserServiceTests"),
                leftOut("ContentDatabaseTests"), leftOut("ContentServerTests"),
                leftOut("ServerFaultTests"), leftOut("StudyWeb"), leftOut("StudyWebTests"),
                leftOut("SystemTests"),
            ],
            path: "Sources/Program", swiftSettings: house),

        // MARK: Tests

        /// Seeded chance, temporary folders, content builders, faulty transports.
        .target(
            name: "TestSupport",
            dependencies: ["ContentModel", "QuestionEngine", "SyncClient", "UnderwayTesting"],
            path: "Tests/TestSupport", swiftSettings: house),
        /// The replies of the routes of accounts, one table for the server and the test kit.
        .target(
            name: "AccountContractSupport",
            dependencies: ["ContentModel", "ServiceAPI", "SyncClient", "UnderwayTesting"],
            path: "Tests/AccountContractSupport", swiftSettings: house),
        /// A disk in memory under SQLite that loses power and tears what was not synced.
        .target(
            name: "CFaultyDisk", path: "Tests/CFaultyDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        /// The server's routes without a socket.
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "ContentDatabase", "ContentServer", "SyncClient", "UserService", httpTypes,
                hummingbird, logging, nioCore, nioEmbedded,
            ],
            path: "Tests/ServerTestSupport", swiftSettings: house),
        /// PostgreSQL and PgBouncer as real servers in temporary folders.
        .target(
            name: "DatabaseTestSupport", dependencies: ["PostgresDriver"],
            path: "Tests/DatabaseTestSupport", swiftSettings: house),
        /// Devices, a server and a bad network in virtual time, and what must be true in the end.
        .target(
            name: "SimulationSupport",
            dependencies: ["QuestionEngine", "ServiceAPI", "UserData", "UserService"],
            path: "Tests/SimulationSupport", swiftSettings: house),
        /// Runs the simulation of user data on many seeds, in an optimised build.
        .executableTarget(
            name: "Simulate", dependencies: [serverPart("SimulationSupport")],
            path: "Tests/Simulate", swiftSettings: house),
        /// The client that tuf-conformance tests: trust metadata as files, and a host on loopback.
        .target(
            name: "ConformanceSupport",
            dependencies: [
                "ContentModel", "SignatureVerification", "WebTransfer", crypto, cryptoExtras,
            ],
            path: "Tests/ConformanceSupport", swiftSettings: house),
        /// The entrypoint of tuf-conformance.
        .executableTarget(
            name: "ConformanceClient", dependencies: [serverPart("ConformanceSupport")],
            path: "Tests/ConformanceClient", swiftSettings: house),
        /// Times updates of a ranking on Redis, in an optimised build.
        .executableTarget(
            name: "RankingBenchmark",
            dependencies: [
                serverPart("RedisDriver"), serverPart("RedisStorage"), serverPart("UserService"),
            ],
            path: "Tests/RankingBenchmark", swiftSettings: house),
        /// Times the review of keys over many first answers on SQLite, in an optimised build.
        .executableTarget(
            name: "ReviewBenchmark",
            dependencies: [
                serverPart("ContentModel"), serverPart("QuestionEngine"), serverPart("Reviewing"),
                serverPart("ServiceAPI"), serverPart("UserService"), grdb,
            ],
            path: "Tests/ReviewBenchmark", swiftSettings: house),
        /// Refreshes of an asset race with its readers; alone, so that a sanitizer builds little.
        .executableTarget(
            name: "AssetRace", dependencies: ["RemoteAssets"], path: "Tests/Client/AssetRace",
            swiftSettings: house),
        /// A device in a process of its own, for the black box test.
        .executableTarget(
            name: "DeviceDriver",
            dependencies: [
                "ContentModel", "OfflineStorage", "QuestionEngine", "SyncClient",
                "UserData",
            ],
            path: "Tests/System/DeviceDriver", swiftSettings: house),
        /// The tests that need the server: libraries, so that a plain `swift test` does without them.
        .testTarget(
            name: "ServerTests",
            dependencies: [
                leftOut("CommandLineTool"), serverPart("SimulationTests"),
                serverPart("SyncClientTests"),
                serverPart("ImportingTests"), serverPart("PublishingTests"),
                serverPart("ContentDatabaseTests"), serverPart("PostgresDriverTests"),
                serverPart("PrometheusExportTests"), serverPart("RedisDriverTests"),
                serverPart("DeskWebTests"), serverPart("TraceExportTests"),
                serverPart("ReviewingTests"), serverPart("SignatureVerificationTests"),
                serverPart("UserServiceTests"),
                serverPart("ContentServerTests"), serverPart("ServerFaultTests"),
                serverPart("StudyWebTests"), serverPart("SystemTests"),
            ],
            path: "Tests/Server/ServerTests", swiftSettings: house),
        .testTarget(
            name: "ContentModelTests",
            dependencies: [
                "ContentModel", "TestSupport",
                .target(name: "CSHA256", condition: .when(platforms: [.linux, .android])),
            ],
            path: "Tests/Core/ContentModelTests", exclude: ["Vectors"], swiftSettings: house),
        .testTarget(
            name: "QuestionEngineTests",
            dependencies: ["ContentModel", "QuestionEngine", "TestSupport"],
            path: "Tests/Core/QuestionEngineTests",
            exclude: [
                "Vectors/README.md", "Vectors/detector2.json", "Vectors/fsrs6.json",
                "Vectors/item_analysis.json", "Vectors/learning_day.json", "Vectors/numbers.json",
                "Vectors/sparse_calibration.json", "Vectors/sparse_calibration.py",
            ], swiftSettings: house),
        .testTarget(
            name: "UserDataTests", dependencies: ["TestSupport", "UserData"],
            path: "Tests/Core/UserDataTests", swiftSettings: house),
        .testTarget(
            name: "ServiceAPITests",
            dependencies: ["ContentModel", "ServiceAPI", "TestSupport", "UserData"],
            path: "Tests/Core/ServiceAPITests", exclude: ["Changesets/Vectors", "Vectors"],
            swiftSettings: house),
        .testTarget(
            name: "AnswerStorageTests",
            dependencies: ["AnswerStorage", "ServiceAPI", "TestSupport", "UserData", grdb],
            path: "Tests/Core/AnswerStorageTests", swiftSettings: house),
        .testTarget(
            name: "OfflineStorageTests",
            dependencies: [
                "ContentModel", "OfflineStorage", "QuestionEngine", "ServiceAPI", "TestSupport",
                "Underway", "UserData", grdb,
            ],
            path: "Tests/Client/OfflineStorageTests", exclude: ["Stores"], swiftSettings: house),
        .testTarget(
            name: "WebTransferTests",
            dependencies: [
                "CCompression", "CDeflate", "RemoteAssets", "SyncClient",
                "TestSupport", "WebTransfer",
            ],
            path: "Tests/Client/WebTransferTests", swiftSettings: house),
        .testTarget(
            name: "RemoteAssetsTests",
            dependencies: ["AssetRace", "RemoteAssets", "SyncClient", "TestSupport"],
            path: "Tests/Client/RemoteAssetsTests", swiftSettings: house),
        .testTarget(
            name: "UnderwayTestingTests",
            dependencies: [
                "AccountContractSupport", "ContentModel", "OfflineStorage", "QuestionEngine",
                "RemoteAssets", "ServiceAPI",
                "SyncClient", "TestSupport", "Underway", "UnderwayTesting", "UserData",
            ],
            path: "Tests/Client/UnderwayTestingTests", swiftSettings: house),
        .testTarget(
            name: "StudyModelTests",
            dependencies: [
                "StudyModel", "TestSupport", "Underway", "UnderwayTesting",
            ],
            path: "Tests/Client/StudyModelTests", swiftSettings: house),
        .target(
            name: "StudyWebTests",
            dependencies: [
                "PageRendering", "StudyModel", "StudyWeb", "TestSupport", "Underway",
                "UnderwayTesting", httpTypes,
                hummingbird, logging, mustache, nioCore, nioEmbedded,
            ],
            path: "Tests/StudyWebTests", swiftSettings: house),
        .target(
            name: "SyncClientTests",
            dependencies: [
                "ContentModel", "OfflineStorage", "Publishing", "RemoteAssets", "ServiceAPI",
                "SyncClient", "TestSupport", "UserData", logging,
            ],
            path: "Tests/Client/SyncClientTests", swiftSettings: house),
        .target(
            name: "SimulationTests", dependencies: ["SimulationSupport", "UserData"],
            path: "Tests/Server/SimulationTests", swiftSettings: house),
        .target(
            name: "DeskWebTests",
            dependencies: [
                "ContentModel", "ContentServer", "DeskWeb", "Importing", "PageRendering",
                "Publishing",
                "Reviewing", "ServiceAPI", "TestSupport", "UserData", "UserService", httpTypes,
                hummingbird, logging, nioCore, nioEmbedded,
            ],
            path: "Tests/Server/DeskWebTests", swiftSettings: house),
        .target(
            name: "ReviewingTests",
            dependencies: [
                "ContentModel", "Publishing", "QuestionEngine", "Reviewing", "ServiceAPI",
                "TestSupport", "UserData", "UserService",
            ],
            path: "Tests/Server/ReviewingTests", swiftSettings: house),
        .target(
            name: "PublishingTests",
            dependencies: ["ContentModel", "Publishing", "ServiceAPI", "TestSupport"],
            path: "Tests/Server/PublishingTests", swiftSettings: house),
        .target(
            name: "ImportingTests",
            dependencies: [
                "ContentModel", "Importing", "Publishing", "QuestionEngine", "TestSupport",
            ],
            path: "Tests/Server/ImportingTests", exclude: ["Fixtures"], swiftSettings: house),
        .target(
            name: "SignatureVerificationTests",
            dependencies: ["ContentModel", "SignatureVerification", crypto],
            path: "Tests/Server/SignatureVerificationTests", swiftSettings: house),
        .target(
            name: "PrometheusExportTests", dependencies: ["PrometheusExport", coreMetrics],
            path: "Tests/Server/PrometheusExportTests", swiftSettings: house),
        .target(
            name: "TraceExportTests", dependencies: ["TraceExport", "TestSupport", tracing],
            path: "Tests/Server/TraceExportTests", swiftSettings: house),
        .target(
            name: "RedisDriverTests",
            dependencies: [
                "RedisDriver", "RedisStorage", "ServiceAPI", "TestSupport", "UserData",
                "UserService", nioCore,
            ],
            path: "Tests/Server/RedisDriverTests", swiftSettings: house),
        .target(
            name: "PostgresDriverTests",
            dependencies: ["DatabaseTestSupport", "PostgresDriver", "TestSupport"],
            path: "Tests/Server/PostgresDriverTests", swiftSettings: house),
        .target(
            name: "UserServiceTests",
            dependencies: [
                "ContentModel", "DatabaseTestSupport", "PostgresDriver", "PostgresStorage",
                "ServiceAPI", "SimulationSupport", "TestSupport", "UserData", "UserService",
                crypto, grdb, jwtKit,
            ],
            path: "Tests/Server/UserServiceTests", exclude: ["Dumps", "Stores"],
            swiftSettings: house),
        .target(
            name: "ContentDatabaseTests",
            dependencies: [
                "ContentDatabase", "ContentModel", "ContentServer", "DatabaseTestSupport",
                "PostgresDriver", "PostgresStorage", "ServerTestSupport", "ServiceAPI",
                "TestSupport", httpTypes, logging,
            ],
            path: "Tests/Server/ContentDatabaseTests", swiftSettings: house),
        .target(
            name: "ServerFaultTests",
            dependencies: [
                "ContentDatabase", "ContentModel", "ContentServer", "DatabaseTestSupport",
                "PostgresDriver", "PostgresStorage", "ServerTestSupport", "ServiceAPI",
                "SyncClient", "TestSupport", "UserData", "UserService", httpTypes, logging,
                serviceLifecycle,
            ],
            path: "Tests/Server/ServerFaultTests", swiftSettings: house),
        .target(
            name: "ContentServerTests",
            dependencies: [
                "ContentModel", "ContentServer", "Publishing", "ServerTestSupport", "ServiceAPI",
                "TestSupport", "UserService", httpTypes, logging, nioCore, nioEmbedded, nioHTTP1,
            ],
            path: "Tests/Server/ContentServerTests", swiftSettings: house),
        .target(
            name: "SystemTests",
            dependencies: [
                "AccountContractSupport", "ContentModel", "ContentServer", "DatabaseTestSupport",
                "OfflineStorage",
                "PostgresDriver", "PostgresStorage", "Publishing",
                "QuestionEngine", "RemoteAssets", "ServerTestSupport", "ServiceAPI",
                "SignatureVerification", "StudyModel", "SyncClient", "CFaultyDisk", "SyncService",
                "TestSupport", "Underway", "UnderwayTesting",
                "UserData",
                "UserService", grdb,
                httpTypes,
                logging, serviceLifecycle,
            ],
            path: "Tests/System/SystemTests", swiftSettings: house),
    ]
)
