import ContentModel
import TestSupport
import Testing

/// What is said of a file that is not there, or not what it should be.
@Suite struct FailureWordTests {
    private let folder: TemporaryFolder
    private var exam: String { folder.path + "/content/exams/int/demo" }

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es"])
    }

    @Test func aFailedImportGivesItsReasonInJSON() async throws {
        try folder.write("a: [", to: "bad.yaml")
        let bad = folder.path + "/bad.yaml"
        let result = try await Tool.run(["import", bad, "--into", exam, "--json"])
        #expect(result.status == 6)
        let error = try #require(
            try JSONParser.parse(Array(result.output.utf8)).member("error")?.value.value)
        guard case .object(let members) = error, case .string(let message)? = members["message"]
        else { Issue.record("\(result.output)"); return }
        #expect(message.hasPrefix(bad + " "), "\(message)")
        #expect(members["place"] == .string(bad))
        let text = try await Tool.run(["import", bad, "--into", exam])
        #expect(text.status == 6 && !text.errors.contains("underway:"), "\(text.errors)")
    }

    @Test(arguments: [["import"], ["analyse"], ["analyse", "--reports"]])
    func aFileThatIsNotThereIsSaidSo(words: [String]) async throws {
        let missing = folder.path + "/deck.apkg"
        try folder.write("person,question,answer,key\na,q,x,x\n", to: "answers.csv")
        let rest =
            words == ["import"]
            ? ["--into", exam] : words.count > 1 ? [folder.path + "/answers.csv"] : []
        let result = try await Tool.run(words + [missing] + rest)
        #expect(result.status == 6)
        #expect(result.errors == "underway: There is no file \(missing).\n")
    }

    @Test func anImportIsTakenBackByTheIdThatItPrinted() async throws {
        try folder.write("Which? {=This ~That}\n", to: "bank.gift")
        let file = folder.path + "/bank.gift"
        let exam = folder.path + "/content/exams/int/taken"
        let written = try await Tool.run(["import", file, "--into", exam, "--write", "--json"])
        let id = try #require(written.output.firstMatch(of: /"undo" ?: ?"([-0-9]+)"/)?.1)
        let undone = try await Tool.run(["import", "--undo", String(id), "--into", exam])
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.output.hasPrefix("The import \(id) is taken back.\nremoved "))
        #expect(!folder.exists("content/exams/int/taken"))
        let third = try await Tool.run(["import", file, "--into", exam, "--write"])
        #expect(third.output.hasSuffix("\n--undo last takes this import back\n"), "\(third)")
        _ = try await Tool.run(["import", "--undo", "last", "--into", exam])
        let again = try await Tool.run(["import", "--undo", "last", "--into", exam])
        #expect(
            again.errors
                == "underway: There is no import to take back in \(folder.path)/content.\n")
        #expect(again.status != 0)
        let both = try await Tool.run(["import", file, "--undo", "last", "--into", exam])
        #expect(both.status == 64 && both.errors.contains("reads no files"))
    }
}
