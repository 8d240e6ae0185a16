// swift-tools-version: 6.2
import PackageDescription

// Without UNDERWAY_SERVER in the environment this is the SDK alone: what an app resolves, and what `swift build` and
// `swift test` make. The scripts set it. The purpose of each target is in ARCHITECTURE.md.
let hasServer = Context.environment["UNDERWAY_SERVER"] != nil

/// The targets in a folder, each with the targets and library products that it depends on.
typealias Targets = KeyValuePairs<String, String>

/// Names that stand for several.
let groups = [
    "core": "ContentModel ServiceAPI UserData",
    "web": "HTTPTypes Hummingbird Logging NIOCore",
    "room": "core web Accounts ContentServer Ledger PostgresDriver Tables GRDB",
    "rooms": "room Boards LiveEvents Operations Review ServerApplication Workflows",
]

let sdk: KeyValuePairs<String, Targets> = [
    "Sources/SDK": [
        "ContentModel": "CSHA256",
        "CSHA256": "",
        "QuestionEngine": "ContentModel",
        "UserData": "",
        "CDeflate": "",
        "ServiceAPI": "CDeflate ContentModel UserData",
        "AnswerStorage": "ServiceAPI UserData GRDB GRDBSQLite",
        "OfflineStorage": "core AnswerStorage QuestionEngine GRDB Logging",
        "CExtendedAttributes": "",
        "CTransfer": "",
        "WebTransfer": "CTransfer",
        "RemoteAssets": "CExtendedAttributes WebTransfer Logging",
        "SyncClient": "core OfflineStorage RemoteAssets WebTransfer Logging",
        "Underway": "core OfflineStorage QuestionEngine RemoteAssets SyncClient",
        "UnderwayTesting": "core OfflineStorage SyncClient",
        "StudyModel": "Underway",
        "AppUI": "StudyModel Underway",
        "SyncService": "SyncClient ServiceLifecycle",
    ],
    "Tests": [
        "TestSupport": "ContentModel OfflineStorage QuestionEngine SyncClient UnderwayTesting",
        "AccountContractSupport": "ContentModel ServiceAPI SyncClient UnderwayTesting",
    ],
    "Tests/SDK": [
        "ContentModelTests": "ContentModel CSHA256 TestSupport",
        "QuestionEngineTests": "ContentModel QuestionEngine TestSupport",
        "UserDataTests": "TestSupport UserData",
        "ServiceAPITests": "core TestSupport",
        "AnswerStorageTests": "AnswerStorage ServiceAPI TestSupport UserData GRDB",
        "AssetRace": "RemoteAssets",
        "OfflineStorageTests": "core OfflineStorage QuestionEngine TestSupport Underway GRDB",
        "RemoteAssetsTests": "AssetRace RemoteAssets SyncClient TestSupport",
        "UnderwayTestingTests": """
        core AccountContractSupport OfflineStorage QuestionEngine RemoteAssets SyncClient TestSupport
        Underway UnderwayTesting
        """,
        "StudyModelTests": "StudyModel TestSupport Underway UnderwayTesting",
    ],
    "Tests/System": [
        "DeviceDriver": "ContentModel OfflineStorage QuestionEngine SyncClient UserData"
    ],
]

let server: KeyValuePairs<String, Targets> = [
    "Sources/Server": [
        "CCompression": "", "CArchive": "", "CLibpq": "",
        "SignatureVerification": "ContentModel Crypto",
        "Publishing": "core CCompression SignatureVerification Crypto Yams",
        "Importing": "CArchive ContentModel Publishing QuestionEngine WebTransfer GRDB",
        "PostgresDriver": "CLibpq",
        "ContentDatabase": "ContentModel PostgresDriver ServiceAPI",
        "RedisDriver": "Crypto NIOCore NIOPosix NIOSSL",
        "Telemetry": "CoreMetrics Tracing",
        "ContentServer": """
        core web CCompression Telemetry CoreMetrics HummingbirdCore NIOHTTP1 NIOHTTPTypesHTTP1 NIOPosix
        ServiceLifecycle Tracing
        """,
        "Tables": "core AnswerStorage CCompression PostgresDriver Crypto GRDB",
        "Accounts": """
        core web ContentServer PostgresDriver RedisDriver Tables WebTransfer Crypto CryptoExtras GRDB JWTKit
        Tracing
        """,
        "Ledger":
            "core web Accounts AnswerStorage ContentServer PostgresDriver Tables Crypto GRDB Tracing",
        "Boards": "room",
        "LiveEvents": "room RedisDriver ServiceLifecycle",
        "Review": "room QuestionEngine Crypto ServiceLifecycle",
        "Operations":
            "room AnswerStorage Boards ContentDatabase Review Telemetry Crypto ServiceLifecycle",
        "ServerApplication": """
        room Boards ContentDatabase LiveEvents Operations Review Telemetry Crypto HummingbirdCore NIOPosix
        ServiceLifecycle
        """,
        "Workflows": "room Publishing Review",
    ],
    "Sources/Apps": [
        "DeskWeb": "room Importing Operations PageRendering Publishing Review Workflows Mustache",
        "PageRendering": "ContentModel HTTPTypes Hummingbird Mustache NIOCore",
        "StudyWeb":
            "web PageRendering ServiceAPI StudyModel Underway HummingbirdCore Mustache ServiceLifecycle",
        "CommandLineTool": """
        rooms ContentDatabase DeskWeb Importing OfflineStorage Publishing QuestionEngine RedisDriver RemoteAssets
        SignatureVerification StudyModel StudyWeb SyncClient Telemetry WebTransfer ArgumentParser Configuration
        ServiceLifecycle Tracing UnixSignals
        """,
        "Program": "CommandLineTool",
    ],
    "Tests": [
        "CFaultyDisk": "",
        "ServerTestSupport": "rooms ContentDatabase SyncClient NIOEmbedded",
        "DatabaseTestSupport": "PostgresDriver",
        "SimulationSupport": "Ledger QuestionEngine ServiceAPI Tables UserData",
        "Simulate": "SimulationSupport",
        "ConformanceSupport": "ContentModel SignatureVerification WebTransfer Crypto CryptoExtras",
        "ConformanceClient": "ConformanceSupport",
        "RankingBenchmark": "LiveEvents RedisDriver",
        "ReviewBenchmark": "ContentModel Ledger QuestionEngine Review ServiceAPI Tables GRDB",
        "StudyWebTests": """
        web PageRendering ServiceAPI StudyModel StudyWeb TestSupport Underway UnderwayTesting Mustache NIOEmbedded
        """,
    ],
    "Tests/SDK": [
        "SyncClientTests":
            "core OfflineStorage Publishing RemoteAssets SyncClient TestSupport Logging",
        "WebTransferTests": "CCompression CDeflate RemoteAssets SyncClient TestSupport WebTransfer",
    ],
    "Tests/Server": [
        "SimulationTests": "SimulationSupport TestSupport UserData",
        "DeskWebTests":
            "rooms DatabaseTestSupport DeskWeb Importing PageRendering Publishing TestSupport NIOEmbedded",
        "ReviewTests": "rooms Publishing QuestionEngine TestSupport",
        "TablesTests": "Tables GRDB",
        "PublishingTests": "ContentModel Publishing ServiceAPI TestSupport",
        "ImportingTests": "ContentModel Importing Publishing QuestionEngine TestSupport",
        "SignatureVerificationTests": "ContentModel SignatureVerification Crypto",
        "TelemetryTests": "Telemetry CoreMetrics Tracing",
        "RedisDriverTests": "rooms RedisDriver TestSupport",
        "PostgresDriverTests": "DatabaseTestSupport PostgresDriver TestSupport",
        "RoomTests":
            "rooms ContentDatabase DatabaseTestSupport RedisDriver SimulationSupport TestSupport Crypto GRDBSQLite JWTKit",
        "ContentDatabaseTests":
            "rooms ContentDatabase DatabaseTestSupport ServerTestSupport TestSupport",
        "ServerFaultTests":
            "rooms ContentDatabase DatabaseTestSupport ServerTestSupport SyncClient TestSupport ServiceLifecycle",
        "ContentServerTests": "rooms Publishing ServerTestSupport TestSupport NIOEmbedded NIOHTTP1",
    ],
    "Tests/System": [
        "SystemTests": """
        rooms AccountContractSupport CFaultyDisk CommandLineTool DatabaseTestSupport OfflineStorage Publishing
        QuestionEngine RemoteAssets ServerTestSupport SignatureVerification StudyModel SyncClient SyncService
        TestSupport Underway UnderwayTesting ArgumentParser ServiceLifecycle
        """
    ],
]

let programs: Set = [
    "Program", "Simulate", "ConformanceClient", "RankingBenchmark", "ReviewBenchmark", "AssetRace",
    "DeviceDriver",
]

/// Folders that are compiled into the program.
let embedded = [
    "StudyWeb": ["Templates"], "PageRendering": ["Files", "Templates"],
    "DeskWeb": ["Files", "Templates"], "ServerApplication": ["Description"],
]

/// Libraries of the system that a target of C links.
let linked = [
    "CDeflate": ["z"], "CTransfer": ["curl", "z", "brotlidec"], "CArchive": ["zip", "zstd"],
    "CCompression": ["brotlienc", "brotlidec", "z"], "CFaultyDisk": ["sqlite3"],
]

/// The packages on GitHub: name, lowest version, the products that targets depend on, traits other than the default ones.
let packages:
    [(name: String, from: Version, products: String, traits: Set<Package.Dependency.Trait>?)] = [
        ("apple/swift-log", "1.16.2", "Logging", nil),
        ("groue/GRDB.swift", "7.10.0", "GRDB GRDBSQLite", nil),
        ("swift-server/swift-service-lifecycle", "2.13.0", "ServiceLifecycle UnixSignals", nil),
        // The rest is the server's.
        ("apple/swift-argument-parser", "1.8.2", "ArgumentParser", nil),
        ("apple/swift-configuration", "1.4.0", "Configuration", ["YAML"]),
        ("apple/swift-crypto", "4.5.2", "Crypto CryptoExtras", nil),
        ("apple/swift-distributed-tracing", "1.7.3", "Tracing", nil),
        ("apple/swift-http-types", "1.8.0", "HTTPTypes", []),
        ("apple/swift-metrics", "2.13.0", "CoreMetrics", nil),
        ("apple/swift-nio", "2.101.2", "NIOCore NIOEmbedded NIOHTTP1 NIOPosix", nil),
        ("apple/swift-nio-extras", "1.35.2", "NIOHTTPTypesHTTP1", nil),
        ("apple/swift-nio-ssl", "2.37.6", "NIOSSL", nil),
        ("hummingbird-project/hummingbird", "2.28.1", "Hummingbird HummingbirdCore", []),
        ("hummingbird-project/swift-mustache", "2.1.1", "Mustache", nil),
        ("jpsim/Yams", "6.2.2", "Yams", nil),
        ("vapor/jwt-kit", "5.7.1", "JWTKit", nil),
    ]

/// Targets for some platforms, and products that a trait brings.
let conditions: [String: TargetDependencyCondition?] = [
    "CSHA256": .when(platforms: [.linux, .android]), "CTransfer": .when(platforms: [.linux]),
    "ServiceLifecycle": .when(traits: ["ServiceLifecycle"]), "NIOSSL": .when(traits: ["RedisTLS"]),
]

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Optimised as modules also for debugging with the server: what our tests wait for, and the screens' models (0060).
let optimized =
    "AnswerStorage ContentModel Importing Ledger OfflineStorage QuestionEngine SimulationSupport StudyModel UserData"

func settings(of name: String) -> [SwiftSetting] {
    let flags = words("-O -wmo -disable-batch-mode -num-threads 2")
    return settings + (name == "PostgresDriver" ? [.strictMemorySafety()] : [])
        + (hasServer && words(optimized).contains(name)
            ? [.unsafeFlags(flags, .when(configuration: .debug))] : [])
}

func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
}

func dependencies(_ names: String) -> [Target.Dependency] {
    words(names).flatMap { name -> [Target.Dependency] in
        if let group = groups[name] { return dependencies(group) }
        let condition = conditions[name] ?? nil
        guard let package = packages.first(where: { words($0.products).contains(name) }) else {
            return [.target(name: name, condition: condition)]
        }
        let identity = String(package.name.drop { $0 != "/" }.dropFirst())
        return [.product(name: name, package: identity, condition: condition)]
    }
}

func target(_ name: String, in folder: String, _ names: String) -> Target {
    let (path, needs) = ("\(folder)/\(name)", dependencies(names))
    if name == "CLibpq" {
        return .systemLibrary(
            name: name, path: path, pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])])
    }
    if name.hasSuffix("Tests") {
        return .testTarget(name: name, dependencies: needs, path: path, swiftSettings: settings)
    }
    if programs.contains(name) {
        return .executableTarget(
            name: name, dependencies: needs, path: path, swiftSettings: settings)
    }
    let isC = linked[name] != nil || ["CSHA256", "CExtendedAttributes"].contains(name)
    return .target(
        name: name, dependencies: needs, path: path,
        resources: (embedded[name] ?? []).map { .embedInCode($0) }
            + (name == "RemoteAssets" ? [.copy("PrivacyInfo.xcprivacy")] : []),
        swiftSettings: isC ? [] : settings(of: name),
        linkerSettings: (linked[name] ?? []).map {
            .linkedLibrary($0, name == "CTransfer" ? .when(platforms: [.linux]) : nil)
        })
}

func targets(_ folders: KeyValuePairs<String, Targets>) -> [Target] {
    folders.flatMap { folder in folder.value.map { target($0.key, in: folder.key, $0.value) } }
}

let products: KeyValuePairs = [
    "Underway":
        "Underway ContentModel QuestionEngine UserData OfflineStorage RemoteAssets SyncClient",
    "UnderwayEngine": "ContentModel QuestionEngine", "UnderwayAssets": "RemoteAssets",
    "UnderwayService": "SyncService", "UnderwayTesting": "UnderwayTesting",
    "UnderwayUI": "AppUI StudyModel",
]

let package = Package(
    name: "underway",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: products.map { .library(name: $0.key, targets: words($0.value)) },
    traits: [
        .trait(
            name: "ServiceLifecycle",
            description: "The product UnderwayService, for programs that run on.")
    ],
    dependencies: packages.prefix(hasServer ? packages.count : 3).map {
        .package(
            url: "https://github.com/" + $0.name, from: $0.from, traits: $0.traits ?? [.defaults])
    },
    targets: targets(sdk)
)

if hasServer {
    package.products.append(.executable(name: "underway", targets: ["Program"]))
    package.targets += targets(server)
    package.traits.formUnion([
        .default(enabledTraits: ["ServiceLifecycle"]),
        .trait(
            name: "RedisTLS",
            description: "TLS to Redis (rediss://), which compiles NIOSSL's BoringSSL.",
            enabledTraits: ["ServiceLifecycle"]),
    ])
}
