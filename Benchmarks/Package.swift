// swift-tools-version: 6.2
import PackageDescription

/// The settings of the main package.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A package of its own: no build of the main package compiles it, and it uses what an app can use.
let package = Package(
    name: "underway-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "underway", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        /// What `script/bench` measures inside one process.
        .executableTarget(
            name: "EngineBenchmarks",
            dependencies: [.product(name: "UnderwayEngine", package: "underway")],
            path: "Engine", swiftSettings: house),
        /// Our SHA-256 beside that of swift-crypto.
        .executableTarget(
            name: "HashBenchmarks",
            dependencies: [
                .product(name: "UnderwayEngine", package: "underway"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Hash", swiftSettings: house),
        /// The steps of a device that the benchmark of user data times.
        .executableTarget(
            name: "UserDataBenchmarks",
            dependencies: [.product(name: "Underway", package: "underway")],
            path: "UserData", swiftSettings: house),
        /// The steps of an app that the benchmark of assets times.
        .executableTarget(
            name: "AssetBenchmarks",
            dependencies: [.product(name: "Underway", package: "underway")],
            path: "Assets", swiftSettings: house),
    ]
)
