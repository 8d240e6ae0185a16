// swift-tools-version: 6.2
import PackageDescription

/// A package of its own: it needs no dependency, and no plain build ever compiles it.
let package = Package(
    name: "sample-generator",
    targets: [
        .executableTarget(
            name: "SampleGenerator", path: "Sources/SampleGenerator",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
