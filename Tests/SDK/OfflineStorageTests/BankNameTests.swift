import OfflineStorage
import Testing

@Suite struct BankNameTests {
    @Test(arguments: [
        (QuestionFilter.Bank.placement(language: "es"), "es"),
        (.placement(language: "zh-Hant"), "zh-Hant"),
        (.exam(region: "int", exam: "swift"), "int/swift"),
    ])
    func aBankAndItsNameAreTheSame(bank: QuestionFilter.Bank, name: String) {
        #expect(bank.name == name)
        #expect(QuestionFilter.Bank(name: name) == bank)
        #expect(Favourite(bank: bank) == Favourite(bank: name))
    }

    @Test(arguments: ["", "/", "int/", "/swift", "int/swift/2", "a b", "../es"])
    func anyOtherTextIsNoBank(name: String) {
        #expect(QuestionFilter.Bank(name: name) == nil)
    }
}
