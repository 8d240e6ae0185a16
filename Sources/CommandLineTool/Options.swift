import ArgumentParser
import Publishing

/// Where the content folder and the release are; every publishing command takes them.
struct FolderOptions: ParsableArguments {
    @Option(help: "The content folder.")
    var content = "content"

    @Option(help: "The release directory.")
    var release = "release"

    @Flag(help: "Answer in JSON.")
    var json = false

    var publisher: Publisher { Publisher(folder: content, release: release) }
}

/// The form of the answer, for commands that have no other need to know it.
struct AnswerOptions: ParsableArguments {
    @Flag(help: "Answer in JSON, errors included.")
    var json = false
}

/// A step of publishing as it is typed.
struct StepArgument: ExpressibleByArgument {
    let step: PublishStep

    init?(argument: String) {
        guard let step = PublishStep(rawValue: argument) else { return nil }
        self.step = step
    }

    static let allValueStrings = PublishStep.allCases.map(\.rawValue)
}
